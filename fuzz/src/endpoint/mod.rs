//! The endpoint under arbitrary segments, calls, times and timers.
//!
//! | file | what |
//! |---|---|
//! | `watched` | an endpoint, and what must hold after each call |
//! | `sent` | what must hold of each segment that it sends |
//! | `configuration`, `segments` | bytes -> configurations and segments |
//! | `lone` | one endpoint that gets any segments at all |
//! | `pair` | two endpoints, and a network that drops, doubles, reorders, marks and changes segments |

mod configuration;
mod lone;
mod pair;
mod segments;
mod sent;
mod watched;

use super::bytes::Bytes;
use super::flavors;

/// Where an input says which flavors its two ends have, which the one of `lone` has as the first.
pub const FLAVORS_AT: usize = 1;
/// How many flavors an input chooses.
pub const CHOICES: usize = 2;

/// One run; with `explains` it prints every step.
pub fn run(bytes: &[u8], explains: bool) {
    let mut bytes = Bytes::new(bytes);
    let is_lone = bytes.flag();
    let flavors = [(); CHOICES].map(|()| flavors::chosen(bytes.u16().to_le_bytes()));
    if is_lone {
        lone::run(&mut bytes, flavors[0], explains);
    } else {
        pair::run(&mut bytes, flavors, explains);
    }
}
