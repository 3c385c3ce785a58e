//! Files whose bytes are not all UTF-8, such as those with Latin-1 comments: every byte comes back.
//!
//! A byte that is no part of a UTF-8 character becomes a character of Unicode's private use area, and that byte again when the
//! text is written. Source: PEP 383 does the same with surrogates, which no Rust string holds.
//!
//! Example: `café` in Latin-1 ends with the byte E9, which is U+F7E9 in memory.
//!
//! Invariant: `encoded(decoded(bytes)) == bytes`. So a file that holds such a character itself is no text.

/// Where the bytes 80 to FF stand, less 80.
const BASE: u32 = 0xF700;

/// The text of some bytes; `None`: it holds characters that stand for bytes here.
pub(crate) fn decoded(bytes: &[u8]) -> Option<String> {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        if chunk.valid().chars().any(|c| byte(c).is_some()) {
            return None;
        }
        text += chunk.valid();
        text.extend(chunk.invalid().iter().filter_map(|b| char::from_u32(BASE + u32::from(*b))));
    }
    Some(text)
}

/// The bytes of a text.
pub(crate) fn encoded(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut buffer = [0; 4];
    for c in text.chars() {
        match byte(c) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes()),
        }
    }
    bytes
}

/// The byte that a character stands for.
fn byte(c: char) -> Option<u8> {
    u32::from(c).checked_sub(BASE).and_then(|b| u8::try_from(b).ok()).filter(|b| *b >= 0x80)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_comes_back() {
        for bytes in [&b"caf\xe9 \xff\x80"[..], "größer".as_bytes(), b"\xe2\x82", b""] {
            assert_eq!(encoded(&decoded(bytes).expect("text")), bytes);
        }
        assert_eq!(decoded("\u{f7e9}".as_bytes()), None);
        assert_eq!(decoded("\u{f700}".as_bytes()).as_deref(), Some("\u{f700}"));
    }
}
