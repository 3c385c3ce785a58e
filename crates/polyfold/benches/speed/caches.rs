//! The sizes of this machine's caches, and in which of them a number of bytes fits.

/// Bytes of the data caches of levels 1 to 3.
pub(crate) struct Caches([u64; 3]);

/// Where the machine does not say.
const DEFAULTS: [u64; 3] = [32 << 10, 1 << 20, 32 << 20];

/// What fits no cache is at most this large, so that the program takes some seconds and some hundred megabytes.
const LARGEST: u64 = 160 << 20;

pub(crate) const LEVELS: [&str; 4] = ["L1", "L2", "L3", "memory"];

impl Caches {
    pub(crate) fn of_this_machine() -> Self {
        Self([1, 2, 3].map(|level| told(level).unwrap_or(DEFAULTS[level as usize - 1])))
    }

    /// How many bytes stand for a level: few enough for it, and with half of them below it, for all but the first.
    pub(crate) fn target(&self, level: usize) -> u64 {
        match level {
            0 => self.0[0] * 6 / 10,
            3 => (self.0[2] * 16 / 10).min(LARGEST),
            _ => self.0[level - 1] * 16 / 10,
        }
    }

    /// The level that so many bytes fit.
    pub(crate) fn level(&self, bytes: u64) -> usize {
        self.0.iter().position(|size| bytes <= *size).unwrap_or(3)
    }
}

/// What the system says about a level's data cache.
fn told(level: u64) -> Option<u64> {
    let of = |index: usize, what: &str| {
        std::fs::read_to_string(format!("/sys/devices/system/cpu/cpu0/cache/index{index}/{what}")).ok()
    };
    let is_it = |index: &usize| {
        of(*index, "level").is_some_and(|text| text.trim() == level.to_string())
            && of(*index, "type").is_some_and(|text| text.trim() != "Instruction")
    };
    let size = of((0..8).find(is_it)?, "size")?;
    let size = size.trim();
    let (number, unit) = size.split_at(size.find(|c: char| !c.is_ascii_digit()).unwrap_or(size.len()));
    let unit = match unit {
        "K" => 1 << 10,
        "M" => 1 << 20,
        _ => 1,
    };
    number.parse::<u64>().ok().map(|number| number * unit)
}
