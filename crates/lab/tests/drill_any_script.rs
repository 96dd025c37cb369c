//! Every script ends: lines of scripts in any order, with any numbers.

#[path = "support/drill.rs"]
mod support;

use lab::drill::{Setup, parse, run};
use proptest::prelude::*;
use support::setup;

fn number() -> impl Strategy<Value = u32> {
    prop_oneof![0u32..3, 900u32..5000, Just(u32::MAX), any::<u32>()]
}

fn inbound() -> impl Strategy<Value = String> {
    let flags = prop::sample::select(&["S", ".", "P.", "F.", "R", "R.", "S.", "-", "SEW", "E.", "FP."][..]);
    let option = prop_oneof![
        (0u16..2000).prop_map(|mss| format!("mss {mss}")),
        any::<u8>().prop_map(|scale| format!("wscale {scale}")),
        Just("sackOK".to_owned()),
        (number(), number()).prop_map(|(left, right)| format!("sack {left}:{right}")),
        (number(), number()).prop_map(|(value, echo)| format!("TS val {value} ecr {echo}")),
    ];
    let options = prop::collection::vec(option, 0..3);
    let header = (flags, number(), 0u16..3000, number(), any::<u16>());
    (header, options).prop_map(|((flags, seq, len, ack, window), options)| {
        let end = seq.wrapping_add(u32::from(len));
        let options = if options.is_empty() { String::new() } else { format!("<{}>", options.join(",")) };
        format!("< {flags} {seq}:{end}({len}) ack {ack} win {window} {options}")
    })
}

fn line() -> impl Strategy<Value = String> {
    let call = prop::sample::select(
        &[
            "socket(..., SOCK_STREAM, IPPROTO_TCP) = 5",
            "connect(5, ..., ...) = ...",
            "close(4) = ...",
            "close(3) = ...",
            "shutdown(4, SHUT_WR) = ...",
            "write(4, ..., 100000) = ...",
            "send(4, ..., 10, MSG_MORE) = ...",
            "read(4, ..., 1000) = ...",
            "accept(3, ..., ...) = 4",
            "setsockopt(4, SOL_SOCKET, SO_SNDBUF, [1], 4) = 0",
            "setsockopt(4, SOL_TCP, TCP_CORK, [1], 4) = 0",
            "setsockopt(4, SOL_SOCKET, SO_LINGER, {onoff=1, linger=0}, 8) = 0",
            "%{ x }%",
        ][..],
    );
    let time = prop::sample::select(&["+0", "+.001", "+.1", "+1", "+100", "+100000"][..]);
    let block = prop::sample::select(&["", "", "...1000"][..]);
    prop_oneof![
        4 => (time, inbound()).prop_map(|(time, segment)| format!("{time} {segment}")),
        2 => (call, block).prop_map(|(call, block)| {
            let block = if call.starts_with('%') { "" } else { block };
            format!("+0{block} {call}")
        }),
    ]
}

const BEGIN: &str =
    "0 socket(..., SOCK_STREAM, IPPROTO_TCP) = 3\n+0 bind(3, ..., ...) = 0\n+0 listen(3, 1) = 0\n";
const OPEN: &str = "+0 < S 0:0(0) win 32792 <mss 1000,sackOK,nop,wscale 7>\n+0 > S. 0:0(0) ack 1 <...>\n\
                    +.1 < . 1:1(0) ack 1 win 257\n+0 accept(3, ..., ...) = 4\n+0 write(4, ..., 9000) = 9000\n";

proptest! {
    #[test]
    fn any_script_comes_to_an_end(opens in any::<bool>(), lines in prop::collection::vec(line(), 0..12)) {
        let text = format!("{BEGIN}{}{}", if opens { OPEN } else { "" }, lines.join("\n"));
        if let Ok(script) = parse(&text) {
            // So tolerant that scripts go on, and do not end at their first segment.
            let tolerant = Setup { tolerance_us: Some(1_000_000_000), ..setup("cubic") };
            prop_assert!(run(&script, &tolerant).is_ok());
        }
    }
}
