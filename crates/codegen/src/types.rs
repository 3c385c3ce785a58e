//! Words of C's types.

use polyfold_scop::Array;

/// Words of the types of integers, as headers of the standard call them, too.
const INTEGERS: [&str; 18] = [
    "_Bool",
    "char",
    "int",
    "int16_t",
    "int32_t",
    "int64_t",
    "int8_t",
    "long",
    "ptrdiff_t",
    "short",
    "signed",
    "size_t",
    "ssize_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "uint8_t",
    "unsigned",
];

/// Whether a type, in words, is plainly an integer.
pub(crate) fn is_integer(element: &str) -> bool {
    let mut words = element.split_whitespace().peekable();
    words.peek().is_some() && words.all(|word| INTEGERS.contains(&word))
}

/// Whether a type, in words, is plainly a number.
pub(crate) fn is_number(element: &str) -> bool {
    let mut words = element.split_whitespace().peekable();
    words.peek().is_some() && words.all(|word| is_integer(word) || ["double", "float"].contains(&word))
}

/// Whether any bytes are a value of a plain number's type. A `_Bool` has two values, and others mustn't be read.
pub(crate) fn is_any_byte(element: &str) -> bool {
    element.split_whitespace().all(|word| word != "_Bool")
}

/// The type of an array's elements, if a variable can be declared with it.
pub(crate) fn plain_element(array: &Array) -> Option<String> {
    let declaration = array.declaration.as_ref()?;
    let of_type = declaration.specifiers.split_whitespace().filter(|word| !["static", "register"].contains(word));
    let element: Vec<&str> = of_type.collect();
    Some(element.join(" ")).filter(|element| is_number(element))
}
