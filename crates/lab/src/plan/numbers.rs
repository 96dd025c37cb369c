//! Numbers of the members of a group, by a rule.

use serde::{Deserialize, Serialize};

/// A number for each member of a group: the same for all of them, or numbers in turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Numbers {
    /// The same number for all.
    Same(u32),
    /// Numbers in turn.
    InTurn(InTurn),
}

/// Member `k` has the number `first + ((begin + k) / each) % count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InTurn {
    /// The smallest number.
    pub first: u32,
    /// How many numbers there are; after the last one comes the first again.
    pub count: u32,
    /// How many members in a row have the same one.
    pub each: u32,
    /// Members that are skipped at the beginning.
    pub begin: u32,
}

impl Numbers {
    /// One number after the other, from `first` on, for `count` members.
    #[must_use]
    pub fn from(first: u32, count: u32) -> Self {
        Self::InTurn(InTurn { first, count, each: 1, begin: 0 })
    }

    /// The number of a member. The plan has been checked.
    #[inline]
    #[must_use]
    pub fn of(self, member: u32) -> u32 {
        match self {
            Self::Same(number) => number,
            Self::InTurn(InTurn { first, count, each, begin }) => {
                let turn = (u64::from(begin) + u64::from(member)) / u64::from(each);
                first + (turn % u64::from(count)) as u32
            }
        }
    }

    /// Whether every number that it can give is below a limit.
    pub(super) fn are_below(self, limit: u32) -> bool {
        match self {
            Self::Same(number) => number < limit,
            Self::InTurn(InTurn { first, count, each, .. }) => {
                count > 0 && each > 0 && first.checked_add(count - 1).is_some_and(|last| last < limit)
            }
        }
    }
}

impl From<u32> for Numbers {
    fn from(number: u32) -> Self {
        Self::Same(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_their_rule() {
        let all =
            |numbers: Numbers, members| (0..members).map(|member| numbers.of(member)).collect::<Vec<_>>();
        assert_eq!(all(7.into(), 3), [7, 7, 7]);
        assert_eq!(all(Numbers::from(4, 3), 3), [4, 5, 6]);
        let clients_of_servers = Numbers::InTurn(InTurn { first: 4, count: 3, each: 2, begin: 0 });
        assert_eq!(all(clients_of_servers, 5), [4, 4, 5, 5, 6]);
        let shared_hosts = Numbers::InTurn(InTurn { first: 0, count: 3, each: 1, begin: 2 });
        assert_eq!(all(shared_hosts, 5), [2, 0, 1, 2, 0]);
    }

    #[test]
    fn the_limits_of_a_rule_are_those_of_its_numbers() {
        assert!(Numbers::from(4, 3).are_below(7) && !Numbers::from(4, 3).are_below(6));
        assert!(!Numbers::from(u32::MAX, 2).are_below(u32::MAX), "the sum would overflow");
        let of = |count, each| Numbers::InTurn(InTurn { first: 0, count, each, begin: 0 });
        assert!(!of(0, 1).are_below(9) && !of(1, 0).are_below(9), "it would divide by zero");
    }
}
