//! C text to scops.
