//! The fewest classes that make the difference, by delta debugging.

/// What came of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Culprits {
    /// Still enough to make the difference, in their order.
    pub classes: Vec<usize>,
    /// None of them can be left out. False if the search had to end before that was known.
    pub fewest: bool,
}

/// Searches those of `suspects` that make a difference without the others. All of them together make
/// it, and none of them do not. `make_it` is asked at most `attempts` times; it says `None` to end the
/// search.
pub fn find_culprits(
    suspects: &[usize],
    mut attempts: usize,
    mut make_it: impl FnMut(&[usize]) -> Option<bool>,
) -> Culprits {
    let mut classes = suspects.to_vec();
    let mut parts = 2;
    while classes.len() > 1 {
        parts = parts.min(classes.len());
        let mut smaller = None;
        let chunks = split(&classes, parts);
        let others = (0..parts).map(|part| {
            let mut others = chunks.clone();
            others.remove(part);
            others.concat()
        });
        // Of two parts, each is what the other leaves.
        let others = others.filter(|_| parts > 2);
        let candidates = chunks.iter().cloned().map(|chunk| (chunk, 2));
        let candidates = candidates.chain(others.map(|others| (others, (parts - 1).max(2))));
        for (candidate, next) in candidates {
            let makes_it = match attempts {
                0 => None,
                _ => make_it(&candidate),
            };
            attempts = attempts.saturating_sub(1);
            match makes_it {
                None => {
                    return Culprits {
                        classes,
                        fewest: false,
                    };
                }
                Some(true) => {
                    smaller = Some((candidate, next));
                    break;
                }
                Some(false) => {}
            }
        }
        match smaller {
            Some((smaller, next)) => (classes, parts) = (smaller, next),
            None if parts == classes.len() => break,
            None => parts *= 2,
        }
    }
    Culprits {
        classes,
        fewest: true,
    }
}

/// Into so many parts of nearly equal length, none of them empty.
fn split(classes: &[usize], parts: usize) -> Vec<Vec<usize>> {
    let bound = |part: usize| part * classes.len() / parts;
    (0..parts)
        .map(|part| classes[bound(part)..bound(part + 1)].to_vec())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Searches 0 to 99 for the classes named; says how many attempts that took.
    fn search(wanted: &[usize], attempts: usize) -> (Culprits, usize) {
        let all: Vec<usize> = (0..100).collect();
        let mut asked = 0;
        let found = find_culprits(&all, attempts, |some| {
            asked += 1;
            assert!(some.is_sorted(), "the order stays");
            Some(wanted.iter().all(|one| some.contains(one)))
        });
        (found, asked)
    }

    fn fewest(classes: &[usize]) -> Culprits {
        Culprits {
            classes: classes.to_vec(),
            fewest: true,
        }
    }

    #[test]
    fn one_culprit_is_found_by_halving() {
        for culprit in [0, 41, 99] {
            let (found, asked) = search(&[culprit], 100);
            assert_eq!(found, fewest(&[culprit]));
            assert!(asked <= 14, "{asked}");
        }
    }

    #[test]
    fn culprits_that_need_each_other_are_all_named() {
        assert_eq!(search(&[3, 77], 1000).0, fewest(&[3, 77]));
        assert_eq!(search(&[3, 50, 51, 77], 1000).0, fewest(&[3, 50, 51, 77]));
    }

    #[test]
    fn a_search_without_attempts_left_gives_what_it_has() {
        let (found, asked) = search(&[3, 77], 6);
        assert!(!found.fewest);
        assert_eq!(asked, 6);
        assert!([3, 77].iter().all(|one| found.classes.contains(one)));
    }

    #[test]
    fn a_search_that_is_called_off_gives_what_it_has() {
        let found = find_culprits(&[1, 2, 3], 100, |_| None);
        assert_eq!((found.classes, found.fewest), (vec![1, 2, 3], false));
    }

    #[test]
    fn a_single_suspect_needs_no_search() {
        let found = find_culprits(&[5], 100, |_| panic!("not asked"));
        assert_eq!(found, fewest(&[5]));
    }
}
