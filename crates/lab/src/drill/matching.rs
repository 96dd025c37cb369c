//! Compares the segments of the endpoint with those that the script expects.
//!
//! Source: the comparison of packetdrill (Cardwell et al. 2013, section 3), with four differences: PSH is
//! compared only on request; segments sent at the same time may match one larger segment of the script;
//! the order and padding of options do not matter; the echo of a timestamp is compared.

use super::endpoint::Sent;
use super::settings::Settings;
use super::syntax::{IpField, Options, SegmentLine, TcpOption};
use base::Time;
use std::collections::VecDeque;

/// Takes the sent segments that one expected segment matches, joined into one. None if
/// there are none.
pub(super) fn take(outbox: &mut VecDeque<Sent>, expected: &SegmentLine, merges: bool) -> Option<Sent> {
    let mut taken = outbox.pop_front()?;
    while merges && taken.line.len > 0 && taken.line.len < expected.len {
        let follows = |next: &Sent| {
            let (line, whole) = (&next.line, &taken.line);
            let end = whole.seq.wrapping_add(u32::from(whole.len));
            next.at == taken.at
                && line.seq == end
                && line.len > 0
                && line.ack == whole.ack
                && !whole.flags.fin
                && whole.len.checked_add(line.len).is_some_and(|len| len <= expected.len)
        };
        if !outbox.front().is_some_and(follows) {
            break;
        }
        let Some(next) = outbox.pop_front() else { break };
        taken.line.len += next.line.len;
        taken.line.flags.fin = next.line.flags.fin;
        taken.line.flags.psh |= next.line.flags.psh;
        taken.line.flags.cwr |= next.line.flags.cwr;
    }
    Some(taken)
}

/// Describes how a segment differs from the expected one; none if it does not.
pub(super) fn difference(
    expected: &SegmentLine,
    came: &SegmentLine,
    settings: &Settings,
    check_psh: bool,
) -> Option<String> {
    flags(expected, came, check_psh)
        .or_else(|| numbers(expected, came))
        .or_else(|| ip(expected, came))
        .or_else(|| options(expected, came, settings))
}

fn flags(expected: &SegmentLine, came: &SegmentLine, check_psh: bool) -> Option<String> {
    let mut came_flags = came.flags;
    if !check_psh {
        came_flags.psh = expected.flags.psh;
    }
    differs("flags", &expected.flags, &came_flags)
}

fn numbers(expected: &SegmentLine, came: &SegmentLine) -> Option<String> {
    let ack = |line: &SegmentLine| if line.flags.ack { line.ack.unwrap_or(0) } else { 0 };
    let window = expected.window.unwrap_or_else(|| came.window.unwrap_or(0));
    differs("sequence number", &expected.seq, &came.seq)
        .or_else(|| differs("length", &expected.len, &came.len))
        .or_else(|| differs("ack", &ack(expected), &ack(came)))
        .or_else(|| differs("win", &window, &came.window.unwrap_or(0)))
}

fn ip(expected: &SegmentLine, came: &SegmentLine) -> Option<String> {
    let (wanted, found) = (expected.ip?, came.ip?);
    let same = match wanted {
        IpField::AnyEct => matches!(found, IpField::Ect0 | IpField::Ect1),
        IpField::Tos(octet) => {
            let codepoints = [IpField::NotEct, IpField::Ect1, IpField::Ect0, IpField::Ce];
            found == codepoints[usize::from(octet & 3)]
        }
        _ => wanted == found,
    };
    (!same).then(|| format!("expected {wanted}, found {found}"))
}

fn options(expected: &SegmentLine, came: &SegmentLine, settings: &Settings) -> Option<String> {
    let (Options::List(wanted), Options::List(found)) = (&expected.options, &came.options) else {
        return None;
    };
    let is_significant = |option: &&TcpOption| !matches!(option, TcpOption::Nop | TcpOption::Eol);
    for option in wanted.iter().filter(is_significant) {
        if !found.iter().any(|other| is_same(option, other, settings)) {
            let other = found.iter().find(|other| is_same_kind(option, other));
            return Some(match other {
                Some(other) => format!("expected the option <{option}>, found <{other}>"),
                None => format!("the option <{option}> is missing"),
            });
        }
    }
    let more = found.iter().find(|option| !wanted.iter().any(|other| is_same_kind(option, other)));
    more.map(|option| format!("the option <{option}> is not expected"))
}

fn is_same_kind(one: &TcpOption, other: &TcpOption) -> bool {
    std::mem::discriminant(one) == std::mem::discriminant(other)
}

fn is_same(wanted: &TcpOption, found: &TcpOption, settings: &Settings) -> bool {
    match (wanted, found) {
        (
            TcpOption::Timestamps { value: wanted, echo: wanted_echo },
            TcpOption::Timestamps { value: found, echo: found_echo },
        ) => wanted_echo == found_echo && is_near(*wanted, *found, settings),
        _ => wanted == found,
    }
}

/// Timestamp values are compared if the script defines the tick.
fn is_near(wanted: u32, found: u32, settings: &Settings) -> bool {
    let apart = wanted.wrapping_sub(found).min(found.wrapping_sub(wanted));
    settings.timestamp_tick.is_none_or(|tick| {
        let apart = u128::from(apart) * u128::from(tick.as_ps());
        apart <= u128::from(settings.tolerance.as_ps())
    })
}

fn differs<T: PartialEq + std::fmt::Display>(name: &str, wanted: &T, found: &T) -> Option<String> {
    (wanted != found).then(|| format!("expected {name} {wanted}, found {found}"))
}

/// The interval in which a segment is on time.
pub(super) fn tolerated(from: Time, to: Time, since: Time, settings: &Settings) -> (Time, Time) {
    let part = from.saturating_sub(since).as_ps() / 1000 * settings.tolerance_permille;
    let tolerance = settings.tolerance.max(Time::from_ps(part));
    (from.saturating_sub(tolerance), to.saturating_add(tolerance))
}

/// A segment for display: without window and codepoint if the script does not state them.
pub(super) fn shown(came: &SegmentLine, expected: Option<&SegmentLine>) -> SegmentLine {
    let mut line = came.clone();
    if line.ip == Some(IpField::NotEct) && expected.is_none_or(|expected| expected.ip.is_none()) {
        line.ip = None;
    }
    if expected.is_some_and(|expected| expected.window.is_none()) {
        line.window = None;
    }
    line
}
