//! Something for each connection of a host.

/// Something for each connection of a host, by the connection's number. Numbers grow, and it is mostly the newest that
/// something happens to.
#[derive(Clone, Debug)]
pub(crate) struct ByConnection<T>(Vec<(u32, T)>);

impl<T> Default for ByConnection<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Default> ByConnection<T> {
    /// That of a connection; the default if it is new.
    #[inline]
    pub(crate) fn of(&mut self, number: u32) -> &mut T {
        let newest = self.0.len().wrapping_sub(1);
        if self.0.get(newest).is_some_and(|its| its.0 == number) {
            &mut self.0[newest].1
        } else {
            self.find(number)
        }
    }

    #[inline(never)]
    fn find(&mut self, number: u32) -> &mut T {
        let place = self.0.binary_search_by_key(&number, |its| its.0).unwrap_or_else(|place| {
            self.0.insert(place, (number, T::default()));
            place
        });
        &mut self.0[place].1
    }
}

#[cfg(test)]
mod tests {
    use super::ByConnection;

    #[test]
    fn each_connection_has_its_own() {
        let mut its = ByConnection::<u64>::default();
        for number in [0, 7, 3, 7, 0, 3, 7] {
            *its.of(number) += u64::from(number) + 1;
        }
        assert_eq!([0, 3, 7, 9].map(|number| *its.of(number)), [2, 8, 24, 0]);
    }
}
