//! What is proved holds, and what does not hold is refused.

mod families;
mod linear;
mod validate;
