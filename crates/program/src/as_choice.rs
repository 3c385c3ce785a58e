//! Conditions that choose what one cell holds.
//!
//! ```text
//! if (A[i] > 1) { S0(i): B[i] = 1; } else { S1(i): B[i] = A[i]; }   =>   S0(i): B[i] = (A[i] > 1 ? 1 : A[i]);
//! ```
//!
//! The idea: where data choose between assignments of one cell, one assignment chooses between their values. It is an instance of the
//! first one.

use crate::{Assign, Stmt, Value};

impl Stmt {
    /// The assignment that it is, or that chooses between those in its branches. `None`: there are none, or of several cells.
    pub fn as_choice(&self) -> Option<Assign> {
        match self {
            Stmt::Assign(own) => Some(own.clone()),
            Stmt::If { cond, then, other } => {
                let ([then], [other]) = (&then[..], &other[..]) else { return None };
                let (then, other) = (then.as_choice()?, other.as_choice()?);
                let are_alike = then.target == other.target && then.at == other.at;
                if !are_alike || then.declares || other.declares {
                    return None;
                }
                let value = Value::Choice(Box::new(cond.clone()), Box::new(then.value), Box::new(other.value));
                Some(Assign { value, ..then })
            }
            _ => None,
        }
    }
}
