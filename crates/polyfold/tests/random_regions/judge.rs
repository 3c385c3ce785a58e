//! What has to be copied, by running a region; and whether a run of the new program copied just that.
//!
//! ```text
//! in    =  read before it is surely written  ∪  perhaps written, but not surely        out   =  perhaps written
//! ```
//!
//! Of each instance n, p of the region it is asked that these cells are copied, and no others, but for cells that are read where the region
//! surely wrote them before: past a bound on work these may be copied in, too. And that in each local array a cell has one
//! place, and a place one cell; that a cell that is written lies in one local array, and comes back once.

use super::region::{Form, Region, TURNS};
use std::collections::{BTreeMap, BTreeSet};

/// The largest size that programs run with.
pub(crate) const MOST: i64 = 6;

/// The cells of one array that an instance copies.
struct Wanted {
    into: BTreeSet<i64>,
    back: BTreeSet<i64>,
    /// Cells that may be copied in for nothing: the region reads them, but surely writes them itself before.
    covered: BTreeSet<i64>,
}

impl Wanted {
    fn of(region: &Region, of_b: bool, n: i64, p: i64) -> Wanted {
        let (mut exposed, mut covered) = (BTreeSet::new(), BTreeSet::new());
        let (mut sure, mut back) = (BTreeSet::new(), BTreeSet::new());
        for (i, j) in region.turns(n) {
            for s in region.statements.iter().filter(|s| s.form != Form::Even || (i + j) % 2 == 0) {
                let second = if s.form == Form::Sum { s.to } else { s.other };
                for read in [s.from, second].iter().filter(|read| read.of_b == of_b) {
                    let cell = read.cell(i, j, p);
                    let found = if sure.contains(&cell) { &mut covered } else { &mut exposed };
                    found.insert(cell);
                }
                if s.to.of_b == of_b {
                    back.insert(s.to.cell(i, j, p));
                    if s.form != Form::Data {
                        sure.insert(s.to.cell(i, j, p));
                    }
                }
            }
        }
        exposed.extend(back.difference(&sure));
        Wanted { into: exposed, back, covered }
    }
}

/// A copied cell.
struct Copied {
    is_into: bool,
    cell: i64,
    local: String,
    place: i64,
}

/// By region, n, p (-1 in front of and behind the loop of p) and array.
type Copies = BTreeMap<(usize, i64, i64, bool), Vec<Copied>>;

/// The copies that a traced run says, and what else it prints.
fn read(printed: &str) -> Result<(Copies, String), String> {
    let (mut copies, mut others) = (Copies::new(), String::new());
    for line in printed.lines() {
        let Some(words) = line.strip_prefix("@ ") else {
            others.push_str(&format!("{line}\n"));
            continue;
        };
        let words: Vec<&str> = words.split(' ').collect();
        let [function, n, p, direction, array, cell, local, place] = words[..] else {
            return Err(format!("`{line}` is no copy"));
        };
        let number = |text: &str| text.parse::<i64>().map_err(|error| format!("{line}: {error}"));
        let key = (number(&function[1..])? as usize, number(n)?, number(p)?, array == "B");
        let copied =
            Copied { is_into: direction == "in", cell: number(cell)?, local: local.to_string(), place: number(place)? };
        copies.entry(key).or_default().push(copied);
    }
    Ok((copies, others))
}

/// What else a traced run prints, if it copied what it has to.
pub(crate) fn judged(regions: &[Region], printed: &str) -> Result<String, String> {
    let (copies, others) = read(printed)?;
    for (k, region) in regions.iter().enumerate() {
        for n in 1..=MOST {
            // Where a local array would have no cells, the region runs as it was.
            let is_copied = |p: i64| [false, true].iter().any(|of_b| copies.contains_key(&(k, n, p, *of_b)));
            if n < MOST && !(-1..TURNS).any(is_copied) {
                continue;
            }
            for (p, of_b) in (0..TURNS).flat_map(|p| [(p, false), (p, true)]) {
                let at = |p: i64| copies.get(&(k, n, p, of_b)).into_iter().flatten();
                let all: Vec<&Copied> = at(-1).chain(at(p)).collect();
                let fault = fault_of(&all, &Wanted::of(region, of_b, n, p));
                let array = if of_b { 'B' } else { 'A' };
                fault.map_or(Ok(()), |fault| Err(format!("r{k}, {array} at n = {n}, p = {p}: {fault}")))?;
            }
        }
    }
    Ok(others)
}

fn fault_of(all: &[&Copied], wanted: &Wanted) -> Option<String> {
    let cells = |is_into: bool| all.iter().filter(|c| c.is_into == is_into).map(|c| c.cell).collect::<BTreeSet<i64>>();
    let none = BTreeSet::new();
    for (is_into, own, spare) in [(true, &wanted.into, &wanted.covered), (false, &wanted.back, &none)] {
        let cells = cells(is_into);
        let few: Vec<&i64> = own.difference(&cells).collect();
        let many: Vec<&i64> = cells.difference(own).filter(|cell| !spare.contains(cell)).collect();
        if !few.is_empty() || !many.is_empty() {
            let direction = if is_into { "in" } else { "back" };
            return Some(format!("not copied {direction}: {few:?}; copied {direction} for nothing: {many:?}"));
        }
    }
    let (mut places, mut held) = (BTreeMap::new(), BTreeMap::new());
    for c in all {
        let other_place = *places.entry((&c.local, c.cell)).or_insert(c.place) != c.place;
        if other_place || *held.entry((&c.local, c.place)).or_insert(c.cell) != c.cell {
            return Some(format!("{} has not one place for each cell: cell {}, place {}", c.local, c.cell, c.place));
        }
    }
    let mut owners = BTreeMap::new();
    for c in all.iter().filter(|c| wanted.back.contains(&c.cell)) {
        if *owners.entry(c.cell).or_insert(&c.local) != &c.local {
            return Some(format!("cell {} is written and lies in two local arrays", c.cell));
        }
    }
    let back = all.iter().filter(|c| !c.is_into).count();
    (back != wanted.back.len()).then(|| format!("{back} cells come back for {} that are written", wanted.back.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_regions::region::Numbers;

    /// A run that copies what it has to is right, and it is not with any of these lines left out, or with a place taken twice.
    #[test]
    fn a_run_that_copies_too_little_or_into_one_place_is_seen() {
        let region = Numbers(1).region();
        let mut lines = Vec::new();
        for (n, p, of_b) in (1..=MOST).flat_map(|n| (0..TURNS).flat_map(move |p| [(n, p, false), (n, p, true)])) {
            let (wanted, array) = (Wanted::of(&region, of_b, n, p), if of_b { 'B' } else { 'A' });
            for (direction, cells) in [("in", &wanted.into), ("back", &wanted.back)] {
                lines.extend(cells.iter().map(|x| format!("@ r0 {n} {p} {direction} {array} {x} {array}_local {x}\n")));
            }
        }
        let regions = [region];
        assert_eq!(judged(&regions, &(lines.concat() + "end\n")), Ok("end\n".to_string()));
        let last = lines.len() - 1;
        for gone in [0, last / 2, last] {
            let others: String =
                lines.iter().enumerate().filter(|(k, _)| *k != gone).map(|(_, l)| l.as_str()).collect();
            assert!(judged(&regions, &others).is_err(), "{}", lines[gone]);
        }
        // The last cell where the one before it is.
        let place = |line: &str| line.trim_end().rsplit(' ').next().unwrap_or_default().to_string();
        let moved =
            lines[last].replace(&format!(" {}\n", place(&lines[last])), &format!(" {}\n", place(&lines[last - 1])));
        assert!(judged(&regions, &(lines[..last].concat() + &moved)).is_err());
    }
}
