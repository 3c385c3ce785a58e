//! The tests of the command and of what it is made of: one program, because linking one takes long, and because a test need not wait for all
//! tests of another file to end.

mod architecture;
mod border_copies;
mod border_proofs;
mod command_line;
mod conflicts;
mod golden;
mod hyperplanes;
#[path = "support/kernels.rs"]
mod kernels;
mod lattice;
mod layout;
mod local_memory;
mod local_messages;
mod local_motion;
mod local_sizes;
mod local_tiles;
mod local_widths;
mod new_loops;
mod oracle;
mod orders;
mod pages;
mod papers;
mod plain;
mod programs;
mod proofs;
mod random_fusion;
mod random_options;
mod random_programs;
mod random_regions;
mod random_schedules;
mod random_tiles;
mod random_windows;
mod report_page;
mod storage;
mod support;
