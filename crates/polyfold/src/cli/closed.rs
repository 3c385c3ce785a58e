//! Whether somebody has closed standard output.
//!
//! Rust's runtime opens /dev/null in the place of a closed standard output before `main` begins, so that all of a result could
//! be written and lost. Only what runs before that can tell: the loader calls what stands in `.init_array`.

use std::os::fd::BorrowedFd;
use std::sync::atomic::{AtomicBool, Ordering};

static IS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether standard output was closed when the command began.
pub(crate) fn is_output_closed() -> bool {
    IS_CLOSED.load(Ordering::Relaxed)
}

#[cfg(target_os = "linux")]
#[used]
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = look;

/// A closed descriptor cannot be duplicated.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
extern "C" fn look() {
    // Safety: the number is borrowed for one call, which fails if it is no descriptor.
    let output = unsafe { BorrowedFd::borrow_raw(1) };
    IS_CLOSED.store(output.try_clone_to_owned().is_err(), Ordering::Relaxed);
}
