//! Contexts, errors, and the bound on work.

use crate::known::Known;
use crate::sys;
use std::ffi::{CStr, CString, c_char, c_int, c_ulong};
use std::fmt;
use std::rc::Rc;

/// Result of an isl operation.
pub type Result<T> = std::result::Result<T, Error>;

/// Why an operation gave no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What kind of failure.
    pub kind: ErrorKind,
    /// What is wrong: isl's own words if it is [`ErrorKind::Invalid`].
    pub message: String,
}

/// What kind of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The bound of [`Context::with_quota`] was reached.
    Quota,
    /// Numbers or sets are larger than what is supported, whatever the bound.
    Limit,
    /// Text that does not parse, spaces that do not match.
    Invalid,
    /// A later stage cannot do what is asked, and says why in words that a user understands.
    Refused,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.kind {
            ErrorKind::Quota => write!(f, "the bound on analysis work was reached"),
            ErrorKind::Limit | ErrorKind::Refused => write!(f, "{}", self.message),
            ErrorKind::Invalid => write!(f, "isl: {}", self.message),
        }
    }
}

impl std::error::Error for Error {}

impl Error {
    /// Whether work or a number got past its bound: what is only proposed can then go without.
    pub fn is_bound(&self) -> bool {
        matches!(self.kind, ErrorKind::Quota | ErrorKind::Limit)
    }

    /// Whether an optimum was asked for that does not exist.
    pub fn is_unbounded(&self) -> bool {
        self.kind == ErrorKind::Invalid && self.message == "unbounded optimum"
    }
}

impl Error {
    /// The same error, with the text that it is about.
    pub(crate) fn about(self, text: &str) -> Error {
        Error { message: format!("{} in `{text}`", self.message), ..self }
    }
}

struct Raw(*mut sys::isl_ctx);

impl Drop for Raw {
    fn drop(&mut self) {
        unsafe { sys::isl_ctx_free(self.0) }
    }
}

struct Shared {
    /// Dropped before the context.
    known: Known,
    raw: Raw,
}

/// An isl context: the owner of everything that is made in it.
#[derive(Clone)]
pub struct Context(Rc<Shared>);

impl Default for Context {
    fn default() -> Self {
        Context::new()
    }
}

impl Context {
    /// A new context.
    pub fn new() -> Self {
        unsafe {
            let raw = sys::isl_ctx_alloc();
            assert!(!raw.is_null(), "out of memory");
            sys::isl_options_set_on_error(raw, sys::ON_ERROR_CONTINUE);
            Context(Rc::new(Shared { known: Known::new(), raw: Raw(raw) }))
        }
    }

    /// Runs `work` with at most `operations` elementary steps of isl, some one to five million a second. A step is an
    /// allocation: on relations with many variables, whose tableaux are large, it takes longer.
    ///
    /// Within another such call the smaller of both bounds holds, and the steps count for the outer one too.
    ///
    /// # Errors
    /// [`ErrorKind::Quota`] when the bound is reached, whatever `work` itself made of it.
    pub fn with_quota<T>(&self, operations: u64, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let outer = self.steps_left();
        let bound = operations.min(outer.unwrap_or(u64::MAX));
        self.allow(Some(bound));
        let outcome = work();
        let left = self.steps_left().unwrap_or(0);
        self.allow(outer.map(|outer| outer - (bound - left)));
        match outcome {
            Err(error) if left == 0 => Err(Error { kind: ErrorKind::Quota, ..error }),
            other => other,
        }
    }

    /// Runs `work` without a bound; its steps count.
    pub(crate) fn without_bound<T>(&self, work: impl FnOnce() -> T) -> T {
        let bound = unsafe { sys::isl_ctx_get_max_operations(self.raw()) };
        unsafe { sys::isl_ctx_set_max_operations(self.raw(), 0) };
        let outcome = work();
        unsafe { sys::isl_ctx_set_max_operations(self.raw(), bound) };
        outcome
    }

    /// Bounds the steps from now on.
    fn allow(&self, steps: Option<u64>) {
        let bound = steps.map_or(0, |steps| c_ulong::try_from(steps).unwrap_or(c_ulong::MAX).max(1));
        unsafe {
            sys::isl_ctx_reset_operations(self.raw());
            sys::isl_ctx_set_max_operations(self.raw(), bound);
        }
        if steps == Some(0) {
            self.is_exhausted();
        }
        unsafe { sys::isl_ctx_reset_error(self.raw()) }
    }

    /// How many steps the bound still allows; `None` without one. isl does not tell how many were taken, but whether a bound would
    /// be reached: that finds the number by halving. Leaves another bound behind: [`allow`](Context::allow) sets the next one.
    fn steps_left(&self) -> Option<u64> {
        let bound = unsafe { sys::isl_ctx_get_max_operations(self.raw()) };
        let (mut least, mut most, mut probes) = (0, bound, 0);
        while least < most {
            let middle = most - (most - least) / 2;
            unsafe { sys::isl_ctx_set_max_operations(self.raw(), middle.saturating_add(probes)) };
            if self.is_exhausted() {
                least = middle;
            } else {
                (most, probes) = (middle - 1, probes + 1);
            }
        }
        #[allow(clippy::useless_conversion)]
        (bound > 0).then(|| u64::from(bound - least))
    }

    /// Past its bound isl refuses every allocation, and often reports that as some other error: one allocation tells.
    fn is_exhausted(&self) -> bool {
        unsafe {
            let probe = sys::isl_val_zero(self.raw());
            if probe.is_null() {
                return true;
            }
            sys::isl_val_free(probe);
        }
        false
    }

    /// That a value of another context is not mixed with those of this one: isl would take its parameters for others.
    ///
    /// # Panics
    /// If it is.
    pub(crate) fn owns(&self, other: &Context) {
        assert!(Rc::ptr_eq(&self.0, &other.0), "values of two isl contexts are mixed");
    }

    pub(crate) fn raw(&self) -> *mut sys::isl_ctx {
        self.0.raw.0
    }

    pub(crate) fn known(&self) -> &Known {
        &self.0.known
    }

    /// The pending error, which is cleared.
    pub(crate) fn error(&self) -> Error {
        unsafe {
            let quota = sys::isl_ctx_last_error(self.raw()) == sys::ERROR_QUOTA;
            let text = sys::isl_ctx_last_error_msg(self.raw());
            let message =
                if text.is_null() { "failed".into() } else { CStr::from_ptr(text).to_string_lossy().into_owned() };
            sys::isl_ctx_reset_error(self.raw());
            Error { kind: if quota { ErrorKind::Quota } else { ErrorKind::Invalid }, message }
        }
    }

    pub(crate) fn check<T>(&self, pointer: *mut T) -> Result<*mut T> {
        if pointer.is_null() { Err(self.error()) } else { Ok(pointer) }
    }

    pub(crate) fn truth(&self, answer: c_int) -> Result<bool> {
        match answer {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(self.error()),
        }
    }

    pub(crate) fn size(&self, answer: c_int) -> Result<usize> {
        usize::try_from(answer).map_err(|_| self.error())
    }

    /// Takes over a string that isl allocated.
    pub(crate) fn string(&self, text: *mut c_char) -> Result<String> {
        let text = self.check(text)?;
        unsafe {
            let owned = CStr::from_ptr(text).to_string_lossy().into_owned();
            sys::free(text.cast());
            Ok(owned)
        }
    }

    /// The integer behind an isl value; `None` for infinity and NaN.
    pub(crate) fn integer(&self, value: *mut sys::isl_val) -> Result<Option<i64>> {
        let value = self.check(value)?;
        // Nearly all have 32 bits, and are read without their digits.
        unsafe {
            if sys::isl_val_is_int(value) == 1 && sys::isl_val_n_abs_num_chunks(value, 4) == 1 {
                let number = sys::isl_val_get_num_si(value);
                sys::isl_val_free(value);
                #[allow(clippy::useless_conversion)]
                return Ok(Some(i64::from(number)));
            }
        }
        let text = unsafe {
            let text = self.string(sys::isl_val_to_str(value));
            sys::isl_val_free(value);
            text?
        };
        match text.as_str() {
            "infty" | "-infty" | "NaN" => Ok(None),
            digits => digits.parse().map(Some).map_err(|_| Error {
                kind: ErrorKind::Limit,
                message: format!("{digits} is past what fits into 64 bits"),
            }),
        }
    }

    /// The integer behind an isl value that must be one.
    pub(crate) fn finite(&self, value: *mut sys::isl_val) -> Result<i64> {
        let missing = || Error { kind: ErrorKind::Limit, message: "a number is infinite or undefined".to_string() };
        self.integer(value)?.ok_or_else(missing)
    }

    pub(crate) fn text(&self, text: &str) -> Result<CString> {
        CString::new(text)
            .map_err(|_| Error { kind: ErrorKind::Invalid, message: "the text holds a zero byte".to_string() })
    }
}

/// Declares an owned isl object: copied by reference count, freed on drop, printed in isl notation.
macro_rules! object {
    ($(#[$doc:meta])* $name:ident, $raw:ident, $copy:ident, $free:ident, $print:ident) => {
        $(#[$doc])*
        pub struct $name {
            raw: *mut crate::sys::$raw,
            ctx: crate::Context,
        }

        #[allow(dead_code)]
        impl $name {
            pub(crate) fn wrap_raw(ctx: &crate::Context, raw: *mut crate::sys::$raw) -> crate::Result<Self> {
                Ok($name { raw: ctx.check(raw)?, ctx: ctx.clone() })
            }

            /// A reference of its own, for functions that consume their argument.
            pub(crate) fn take(&self) -> *mut crate::sys::$raw {
                unsafe { crate::sys::$copy(self.raw) }
            }

            pub(crate) fn keep(&self) -> *mut crate::sys::$raw {
                self.raw
            }

            /// The context that owns this value.
            pub fn context(&self) -> &crate::Context {
                &self.ctx
            }
        }

        impl Clone for $name {
            fn clone(&self) -> Self {
                $name { raw: self.take(), ctx: self.ctx.clone() }
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                unsafe {
                    crate::sys::$free(self.raw);
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                // Whoever prints has no way to say that the work bound is reached.
                let text = self.ctx.without_bound(|| unsafe { self.ctx.string(crate::sys::$print(self.raw)) });
                f.write_str(&text.map_err(|_| std::fmt::Error)?)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                write!(f, "{self}")
            }
        }
    };
}
pub(crate) use object;

/// Forwards a method to the isl function of the same meaning; all arguments are objects of this layer.
macro_rules! forward {
    ($($(#[$doc:meta])* $name:ident($($arg:ident: $type:ty),*) -> $ret:ident = $c:ident;)*) => { $(
        $(#[$doc])*
        ///
        /// # Errors
        /// When the spaces do not match, or the work bound is reached.
        pub fn $name(&self $(, $arg: &$type)*) -> crate::Result<$ret> {
            $(self.context().owns($arg.context());)*
            unsafe { $ret::wrap_raw(self.context(), crate::sys::$c(self.take() $(, $arg.take())*)) }
        }
    )* };
}
pub(crate) use forward;

/// Forwards a question to isl.
macro_rules! ask {
    ($($(#[$doc:meta])* $name:ident($($arg:ident: $type:ty),*) = $c:ident;)*) => { $(
        $(#[$doc])*
        ///
        /// # Errors
        /// When the spaces do not match, or the work bound is reached.
        pub fn $name(&self $(, $arg: &$type)*) -> crate::Result<bool> {
            $(self.context().owns($arg.context());)*
            unsafe { self.context().truth(crate::sys::$c(self.keep() $(, $arg.keep())*)) }
        }
    )* };
}
pub(crate) use ask;
