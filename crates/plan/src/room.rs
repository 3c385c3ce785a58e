//! How many more cells than suffice storage may have where its subscripts are plainer then.
//!
//! Example: with the usual room 197 cells may become 200, and 102 may become 112; 3 stay, and 600 may become 618.

/// More cells than suffice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// If the user does not say.
    Usual,
    /// So many percent.
    Percent(u64),
}

/// Of any storage, in percent.
const USUAL: u64 = 3;

/// Of storage that gets no more than a few cells in this way.
const USUAL_OF_FEW: u64 = 10;
const FEW: u64 = 16;

/// Of storage that is small, whatever the percent.
const NEXT_TO_NOTHING: u64 = 4;
const FEWEST: u64 = 8;

impl Room {
    /// Not a single cell.
    pub const NONE: Room = Room::Percent(0);

    /// As many cells storage may have where `cells` suffice.
    pub fn most(self, cells: u64) -> u64 {
        let part = |percent: u64| {
            let part = u128::from(cells) * u128::from(percent) / 100;
            u64::try_from(part).unwrap_or(u64::MAX)
        };
        let more = match self {
            Room::Percent(percent) => part(percent),
            Room::Usual => part(USUAL).max(part(USUAL_OF_FEW).min(FEW)),
        };
        cells.saturating_add(more)
    }

    /// The same of what leaves innermost loops next to no strides and remainders: in storage of eight cells or more, four are next to nothing.
    pub fn most_of_plain(self, cells: u64) -> u64 {
        match self {
            Room::Usual if cells >= FEWEST => self.most(cells).max(cells.saturating_add(NEXT_TO_NOTHING)),
            _ => self.most(cells),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Room;

    #[test]
    fn a_few_cells_are_more_percent() {
        let most = |cells| Room::Usual.most(cells);
        assert_eq!([3, 9, 10, 102, 160, 197, 800, 1000].map(most), [3, 9, 11, 112, 176, 213, 824, 1030]);
        assert_eq!([3, 7, 8, 9, 102, 1000].map(|cells| Room::Usual.most_of_plain(cells)), [3, 7, 12, 13, 112, 1030]);
        assert_eq!(Room::Percent(5).most_of_plain(9), 9);
        assert_eq!((Room::NONE.most(1000), Room::Percent(35).most(100)), (1000, 135));
        assert_eq!((most(u64::MAX), Room::Percent(u64::MAX).most(u64::MAX)), (u64::MAX, u64::MAX));
    }
}
