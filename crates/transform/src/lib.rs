//! Passes: functions from a program to a program.
//!
//! A pass does one thing and has the field's name for it. It knows no other pass, and it may be
//! wrong: what it makes is judged, by execution over terms (`replay`) and by a validator (`prove`).
//!
//! | pass | what it does |
//! |---|---|
//! | [`apply_storage`] | accesses go to the cells that a storage mapping gives them |
//! | [`copy_border`] | steps between grids take the border of these along |
//! | [`copy_in`] | statements run in memory of their own, with copies in front and behind |
//! | [`cut`] | loops are cut where conditions on their counters change |
//! | [`if_convert`] | choices compute all of their values |
//! | [`place_versions`] | accesses to values go to the places of their versions |
//! | [`point`] | rows of cells get pointers, which loops carry along |
//! | [`sweep`] | statements whose results nobody reads go |
//! | [`without_self_copies`] | assignments of a cell to itself go |
//! | [`privatize`] | a variable is declared where its values live |
//! | [`settle`] | remainders that change nothing go |
//! | [`promise`] | compilers are told of loops whose iterations may run at once |
//! | [`rebase`] | cells that are counted from where an iteration begins move on at its end |
//! | [`reduce`] | remainders become variables that loops carry along |
//! | [`reorder`] | statements run in another order |
//! | [`scalarize`] | a variable stands for a cell while loops use it |
//! | [`split`] | innermost loops are split where circular buffers wrap around |
//! | [`tile`] | loops run in tiles |
//! | [`unpeel`] | the first term of a sum of integers moves into its loop |
//! | [`without_unread`] | variables that statements declare and nobody reads go |

mod apply_storage;
mod chosen;
mod comparison;
mod copy_border;
mod copy_in;
mod counters;
mod cut;
mod family;
mod fixed;
mod fresh;
mod from_isl;
mod if_convert;
mod place_versions;
mod point;
mod privatize;
mod promise;
mod rebase;
mod reduce;
mod reorder;
mod scalarize;
mod scan;
mod self_copies;
mod settle;
mod split;
mod sweep;
mod tile;
mod unpeel;
mod unread;

pub use apply_storage::{Coordinate, Remainder, Storage, StorageHome, apply_storage};
pub use copy_border::{Border, BorderNest, Grid, copy_border};
pub use copy_in::{Block, Copies, Known, LocalAccess, LocalArray, LocalCase, LocalVersion, Step, Steps, Unit, copy_in};
pub use cut::cut;
pub use fresh::Name;
pub use from_isl::{cond_of, int_of};
pub use if_convert::{Convertible, branching, if_convert};
pub use place_versions::{VersionAccess, VersionCase, VersionHome, Versions, place_versions, place_versions_of};
pub use point::point;
pub use privatize::{privatize, undeclared};
pub use promise::{Apart, promise};
pub use rebase::{AtEnd, Move, Moving, Slide, rebase};
pub use reduce::reduce;
pub use reorder::{Part, Reordering, reorder};
pub use scalarize::{HeldCell, scalarize};
pub use self_copies::without_self_copies;
pub use settle::settle;
pub use split::split;
pub use sweep::{sweep, without_writes};
pub use tile::{Tiling, Untiled, tile};
pub use unpeel::unpeel;
pub use unread::without_unread;
