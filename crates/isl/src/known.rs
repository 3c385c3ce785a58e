//! What texts say: each is parsed once, and the flow between the same accesses is found once.
//!
//! Views of one program that are built at several moments, and of one program in several orders, are written as the same texts, and to
//! parse one takes as long as several operations on what it says. Accesses written in the same way are the same, too, and their flow takes
//! up to a second, where stages and readings of a program that ask for it know nothing of each other.
//!
//! Invariant: what is known is freed before the context that it belongs to, and does not keep that alive.

use crate::sys;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::CStr;
use std::ffi::CString;

/// So many texts of a kind are remembered.
const MOST: usize = 20_000;

/// Texts that were read, by what they were read as.
pub(crate) struct Known {
    pub(crate) sets: Texts<sys::isl_set>,
    pub(crate) maps: Texts<sys::isl_map>,
    pub(crate) functions: Texts<sys::isl_pw_aff>,
    /// [`dataflow`](crate::dataflow), by its arguments.
    pub(crate) flows: Texts<sys::isl_map>,
}

impl Known {
    pub(crate) fn new() -> Known {
        Known {
            sets: Texts::new(sys::isl_set_copy, sys::isl_set_free),
            maps: Texts::new(sys::isl_map_copy, sys::isl_map_free),
            functions: Texts::new(sys::isl_pw_aff_copy, sys::isl_pw_aff_free),
            flows: Texts::new(sys::isl_map_copy, sys::isl_map_free),
        }
    }
}

type Copy<T> = unsafe extern "C" fn(*mut T) -> *mut T;

/// Texts of one kind.
pub(crate) struct Texts<T> {
    said: RefCell<HashMap<CString, *mut T>>,
    copy: Copy<T>,
    free: Copy<T>,
}

impl<T> Texts<T> {
    fn new(copy: Copy<T>, free: Copy<T>) -> Texts<T> {
        Texts { said: RefCell::default(), copy, free }
    }

    /// A reference of its own to what a text says, which `parse` finds out; null if that fails.
    pub(crate) fn read(&self, text: &CStr, parse: impl FnOnce() -> *mut T) -> *mut T {
        if let Some(known) = self.said.borrow().get(text) {
            return unsafe { (self.copy)(*known) };
        }
        let said = parse();
        let mut all = self.said.borrow_mut();
        if !said.is_null() && all.len() < MOST {
            all.insert(text.to_owned(), unsafe { (self.copy)(said) });
        }
        said
    }
}

impl<T> Drop for Texts<T> {
    fn drop(&mut self) {
        for said in self.said.get_mut().values() {
            unsafe { (self.free)(*said) };
        }
    }
}
