//! Cube roots that every machine finds alike.
//!
//! Source: RFC 9438, section 4.1, which wants them; Newton's iteration.
//!
//! | for | how |
//! |---|---|
//! | real numbers | Newton's iteration with IEEE additions, multiplications and divisions alone |
//! | integers | the largest integer whose cube is not above the number, bit by bit |
//!
//! Deviation: Linux' integer root (`cubic_root`, `net/ipv4/tcp_cubic.c`) is a table of 64 entries and one step of Newton's
//! iteration, and errs by about 0.2 % on average. This one errs by less than one, always downward.

/// Of a number that is not negative.
pub(super) fn cube_root(x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    let mut root = x.max(1.0);
    // From above, it falls until it is as near as it gets.
    loop {
        let next = (2.0 * root + x / (root * root)) / 3.0;
        if next >= root {
            return root;
        }
        root = next;
    }
}

/// Of an integer, rounded down.
pub(super) fn integer_cube_root(x: u64) -> u64 {
    let mut root = 0_u64;
    // The root of a number of 64 bits has 22.
    for bit in (0..22).rev() {
        let larger = root | 1 << bit;
        if u128::from(larger).pow(3) <= u128::from(x) {
            root = larger;
        }
    }
    root
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn cube_roots() {
        for (x, root) in [(0.0, 0.0), (27.0, 3.0), (0.125, 0.5), (1e9, 1e3)] {
            assert!((cube_root(x) - root).abs() < 1e-12 * (1.0 + root), "{x}");
        }
        for (x, root) in [(0, 0), (1, 1), (7, 1), (8, 2), (26, 2), (27, 3), (u64::MAX, 2_642_245)] {
            assert_eq!(integer_cube_root(x), root, "{x}");
        }
    }

    proptest! {
        /// Up to a million segments below the plateau (K up to 140 s), the two differ by less than 1/1024 s.
        #[test]
        fn the_integer_root_is_below_the_real_one_by_less_than_one(segments in 0u64..1_000_000) {
            let x = 2_681_735_677 * segments;
            let below = cube_root(x as f64) - integer_cube_root(x) as f64;
            prop_assert!((-1e-6..1.0).contains(&below), "{}", below);
        }
    }
}
