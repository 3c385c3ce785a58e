//! The command line: exit statuses, messages, what is written and what is not.

#![allow(missing_docs)]

mod any_order;
mod arithmetic;
mod asserted;
mod blocks;
mod borders;
mod check;
mod choices;
mod copies;
mod embedded;
mod engines;
mod fast;
mod faults;
mod files;
mod formats;
mod forms;
mod fuse;
mod fusing;
mod gecos;
mod going_on;
mod growing;
mod growth;
mod guards;
mod heap;
mod hls;
mod languages;
mod linearised;
mod names;
mod outputs;
mod own_names;
mod parallel;
mod pragmas;
mod programs;
mod pure;
mod reasons;
mod registers;
mod reports;
mod room;
mod rotating;
mod row_choices;
mod safe_distance;
mod schedules;
mod sizes;
mod strides;
mod strips;
mod sums;
#[path = "../support/mod.rs"]
mod support;
mod texts;
mod thresholds;
mod together;
mod values;
mod warnings;
mod widths;
mod work;
