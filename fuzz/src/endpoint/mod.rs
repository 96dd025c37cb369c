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

/// One run; with `explains` it prints every step.
pub fn run(bytes: &[u8], explains: bool) {
    let mut bytes = Bytes::new(bytes);
    if bytes.flag() {
        lone::run(&mut bytes, explains);
    } else {
        pair::run(&mut bytes, explains);
    }
}
