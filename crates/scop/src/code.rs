//! Stable codes of messages, and why an array keeps its layout.
//!
//! The idea: what the user is told has a number that never changes, whatever the words are: `P0203` is a subscript that isn't affine.
//! The manual has a section for each, `polyfold explain P0203` prints it, and `--json` holds the number. Hundreds stand for what a
//! message is about: marks and options, a scop that is declined, an array that stays, a result, speed, orders, local memory, files.
//!
//! A number is never given to something else. What is no longer said leaves a gap.

use std::fmt;

macro_rules! codes {
    ($($name:ident = $number:literal, $title:literal;)*) => {
        /// What kind of message it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u16)]
        pub enum Code {
            $(#[doc = $title] $name = $number,)*
        }

        impl Code {
            /// All of them, by number.
            pub const ALL: &[Code] = &[$(Code::$name,)*];

            /// What it is about, as the manual's heading says it.
            pub fn title(self) -> &'static str {
                match self {
                    $(Code::$name => $title,)*
                }
            }
        }
    };
}

codes! {
    NoScop = 1, "No scop is marked";
    Unpaired = 2, "`#pragma scop` and `#pragma endscop` don't come in pairs";
    Misplaced = 3, "A scop stands where none can be";
    NotC = 4, "Something isn't C, as far as polyfold can read it";
    UnknownPragma = 5, "A pragma of polyfold's says nothing";
    UnknownName = 6, "A name that was given is not in the file";
    Assumption = 7, "An assumption isn't understood";
    OtherModel = 8, "Numbers have other sizes here";
    OneConfiguration = 9, "A part of the scop isn't compiled";
    NotPure = 10, "A function isn't taken to be pure";
    NotFirst = 11, "A pure function may read what it writes";

    Construct = 101, "A construct isn't handled in a scop";
    LoopHead = 102, "A loop's head isn't one that counts";
    LoopCounter = 103, "A loop's counter is used for more than counting";
    BoundNotAffine = 104, "A loop's bound isn't affine";
    Endless = 105, "A loop never ends";
    MadeByMacro = 106, "A macro makes more than an expression";
    ConditionActs = 107, "A condition does more than compare";
    WritesTwice = 108, "A statement writes an array twice";
    PointerChanges = 109, "A pointer changes in the scop";
    DeclarationInside = 110, "A declaration in the scop isn't handled";
    DeclaredAgain = 111, "A size's name is declared again in the scop";
    SizeMayChange = 112, "A size may change in the scop";
    DirectiveInside = 113, "A directive in the scop isn't handled";
    JumpInto = 114, "A jump leads into the scop";
    ReadOtherwise = 115, "The compiler reads something else";
    NoPlace = 116, "A declaration has no place in front of the scop";
    Unsolved = 117, "Analysis of the scop ended without a result";
    CounterType = 118, "A loop's counter has a type that isn't handled";
    Redefined = 119, "A macro changes its meaning inside the function";
    NotWritten = 120, "New storage can't be written around a scop's text";

    Interface = 201, "An array is the program's interface";
    UsedOutside = 202, "An array is used outside the scop, too";
    SubscriptNotAffine = 203, "A subscript isn't affine";
    AddressTaken = 204, "An array's address goes somewhere";
    SizeUsed = 205, "`sizeof` depends on an array's size";
    UnknownMemory = 206, "Nobody knows where a pointer leads";
    Allocation = 207, "An allocation isn't understood";
    Declared = 208, "An array's declaration can't change";
    RowsNotKept = 209, "A subscript may leave its row";
    SharedByThreads = 210, "Threads share an array";
    NamedByPragma = 211, "Another tool's pragma names an array";
    AssignedInside = 212, "An array is assigned inside a larger expression";
    ClassType = 213, "Operators of a C++ class may do anything";
    NotDeclared = 214, "An array isn't declared in this file";
    DividedText = 215, "A macro or directive makes a part of a reference";
    NotFollowed = 216, "An array is named in a way that isn't followed";
    NoSubscript = 217, "A reference has no subscript";

    StaysAsItIs = 301, "No smaller storage is used for an array";
    SomeSizes = 302, "The result holds for some sizes only";
    LeavesArray = 303, "The source leaves its array";
    NotFewest = 304, "Cells aren't proved to be the fewest";
    StaysOne = 305, "A variable that is reused stays one";
    RunTimeSize = 306, "Hardware would need a size of run time";
    MoreCells = 307, "An order needs more cells than the source has";

    Divides = 401, "A loop divides for each access";
    Strides = 402, "A loop goes across rows";

    NewOrder = 501, "Loops have a new order";
    NotFused = 502, "Loops stay apart";
    LoopsStay = 503, "Loops stay as they are";
    MayOverlap = 504, "Two names may lead to the same memory";
    NoVectors = 505, "A statement keeps vectors from a loop";
    PragmaLeft = 506, "A pragma isn't on the new loops";
    NoNewLoops = 507, "New loops can't be written";
    WrongOrder = 508, "An order changes what the program computes";

    Region = 601, "A region for local memory isn't marked as it has to be";
    NotCopied = 602, "An array isn't copied to local memory";
    TooLarge = 603, "Local arrays don't fit";
    RegionStays = 604, "A region stays as it is";
    Copies = 605, "Copies can't be made as they are asked for";
    NotTiled = 606, "A nest isn't tiled";
    WrittenPerhaps = 607, "Data decides which cells are written";

    NotASet = 701, "A set in isl notation isn't understood";
    Problem = 702, "A scop can't become a problem in sets";

    Unusable = 901, "The input can't be used as it is";
    Usage = 902, "The command line asks for what can't be";
    OwnFault = 903, "polyfold has found a fault of its own";
    Differ = 904, "Two programs compute something else";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "P{:04}", *self as u16)
    }
}

impl std::str::FromStr for Code {
    type Err = ();

    fn from_str(text: &str) -> Result<Code, ()> {
        Code::ALL.iter().find(|code| code.to_string() == text).copied().ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn codes_are_read_back_and_go_up() {
        assert!(Code::ALL.is_sorted());
        for code in Code::ALL {
            assert_eq!(code.to_string().parse(), Ok(*code));
        }
        assert_eq!(Code::SubscriptNotAffine.to_string(), "P0203");
        assert_eq!("P9999".parse::<Code>(), Err(()));
    }
}
