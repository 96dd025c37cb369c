//! The script parser reads back what a script writes, and reports all errors of a script at once.

use base::Time;
use lab::drill::syntax::{
    Action, Call, Direction, Event, Expr, ExprKind, Flag, Flags, IpField, Options, Script, SegmentLine,
    TcpOption, When,
};
use lab::drill::{Position, parse};
use proptest::prelude::*;
use tcp::AccEcn;

const AT: Position = Position { line: 0, column: 0 };

fn time() -> impl Strategy<Value = Time> {
    prop_oneof![
        (0u64..1_000_000_000).prop_map(Time::from_us),
        (0u64..1_000_000_000_000_000).prop_map(Time::from_ps),
    ]
}

fn two_times() -> impl Strategy<Value = (Time, Time)> {
    (time(), time()).prop_map(|(a, b)| (a.min(b), a.max(b)))
}

fn outbound_when() -> impl Strategy<Value = When> {
    prop_oneof![
        time().prop_map(When::Relative),
        Just(When::Any),
        two_times().prop_map(|(from, to)| When::RelativeRange(from, to)),
    ]
}

fn option() -> impl Strategy<Value = TcpOption> {
    prop_oneof![
        Just(TcpOption::Nop),
        Just(TcpOption::Eol),
        any::<u16>().prop_map(TcpOption::Mss),
        any::<u8>().prop_map(TcpOption::WindowScale),
        Just(TcpOption::SackPermitted),
        prop::collection::vec(any::<(u32, u32)>(), 1..3).prop_map(TcpOption::Sack),
        any::<(u32, u32)>().prop_map(|(value, echo)| TcpOption::Timestamps { value, echo }),
        (any::<bool>(), prop::collection::vec(0u64..1 << 24, 1..4))
            .prop_map(|(ect1_first, counters)| TcpOption::AccEcn(AccEcn::new(ect1_first, &counters))),
    ]
}

/// Options that a header has room for.
fn options() -> impl Strategy<Value = Options> {
    prop::collection::vec(option(), 0..3).prop_map(|options| {
        let large = |option: &TcpOption| {
            matches!(option, TcpOption::Sack(_) | TcpOption::Timestamps { .. } | TcpOption::AccEcn(_))
        };
        let count = options.iter().filter(|option| large(option)).count();
        Options::List(if count > 2 { Vec::new() } else { options })
    })
}

fn flags() -> impl Strategy<Value = Flags> {
    any::<[bool; 8]>().prop_map(|[syn, fin, rst, psh, ack, ece, cwr, ae]| Flags {
        syn,
        fin,
        rst,
        psh,
        ack,
        ece,
        cwr,
        ae,
    })
}

fn ip() -> impl Strategy<Value = Option<IpField>> {
    prop::option::of(prop_oneof![
        Just(IpField::NotEct),
        Just(IpField::Ect0),
        Just(IpField::Ect1),
        Just(IpField::Ce),
        (0u8..4).prop_map(IpField::Tos),
    ])
}

fn segment() -> impl Strategy<Value = Event> {
    let line = (ip(), flags(), any::<u32>(), any::<u16>(), any::<Option<u32>>(), any::<u16>(), options());
    (line, outbound_when(), any::<bool>()).prop_map(
        |((ip, flags, seq, len, ack, window, options), when, inbound)| {
            let when = if inbound { When::Relative(Time::from_ms(1)) } else { when };
            let direction = if inbound { Direction::Inbound } else { Direction::Outbound };
            let options = if !inbound && len % 5 == 0 { Options::Any } else { options };
            let window = if !inbound && len % 2 == 0 { None } else { Some(window) };
            let line = SegmentLine { direction, ip, flags, seq, len, ack, window, options };
            Event { at: AT, when: Some(when), action: Action::Segment(line) }
        },
    )
}

fn expr(kind: ExprKind) -> Expr {
    Expr { at: AT, kind }
}

fn call(name: &str, arguments: Vec<ExprKind>, result: i64) -> Call {
    Call {
        until: None,
        at: AT,
        name: name.to_owned(),
        arguments: arguments.into_iter().map(expr).collect(),
        result: expr(ExprKind::Integer(result)),
        errno: None,
        note: None,
    }
}

fn word(text: &str) -> ExprKind {
    ExprKind::Word(text.to_owned())
}

fn system_call() -> impl Strategy<Value = Event> {
    let calls = (0i64..100, 0i64..100_000).prop_flat_map(|(fd, bytes)| {
        let number = |value| ExprKind::Integer(value);
        let flags = ExprKind::Or(vec![expr(word("MSG_DONTWAIT")), expr(word("MSG_MORE"))]);
        let vector = ExprKind::List(vec![expr(ExprKind::Struct(vec![
            expr(ExprKind::Ellipsis),
            expr(ExprKind::Integer(bytes)),
        ]))]);
        let failing = Call {
            errno: Some("EAGAIN".to_owned()),
            note: Some("Resource temporarily unavailable".to_owned()),
            ..call("read", vec![number(fd), ExprKind::Ellipsis, number(bytes)], -1)
        };
        prop_oneof![
            Just(call(
                "write",
                vec![number(fd), ExprKind::Text("a\\\"b".to_owned(), true), number(bytes)],
                bytes
            )),
            Just(call("send", vec![number(fd), ExprKind::Ellipsis, number(bytes), flags], bytes)),
            Just(call("writev", vec![number(fd), vector, number(1)], bytes)),
            Just(failing),
        ]
    });
    (calls, two_times(), any::<bool>()).prop_map(|(mut call, (from, until), blocks)| {
        call.until = blocks.then_some(until);
        Event { at: AT, when: Some(When::Relative(from)), action: Action::Call(call) }
    })
}

fn other() -> impl Strategy<Value = Event> {
    let when = Some(When::Relative(Time::ZERO));
    prop_oneof![
        "[a-z =.]{0,20}".prop_map(|text| Event { at: AT, when: None, action: Action::Shell(text) }),
        "[a-z][a-z =\n]{0,20}[a-z]".prop_map(move |text| Event {
            at: AT,
            when,
            action: Action::Code(AT, text)
        }),
    ]
}

fn script() -> impl Strategy<Value = Script> {
    let option = Flag { at: AT, name: "tolerance_usecs".to_owned(), value: Some("1000".to_owned()) };
    let events = prop::collection::vec(prop_oneof![segment(), system_call(), other()], 0..12);
    (any::<bool>(), events).prop_map(move |(with, events)| Script {
        options: with.then(|| option.clone()).into_iter().collect(),
        events,
    })
}

proptest! {
    #[test]
    fn a_tree_reads_back_as_it_was_written(script in script()) {
        let text = script.to_string();
        prop_assert_eq!(parse(&text).map_err(|problems| format!("{problems:?}\n{text}")), Ok(script));
    }

    #[test]
    fn times_are_exact(when in outbound_when()) {
        let line = SegmentLine {
            direction: Direction::Outbound,
            ip: None,
            flags: Flags { ack: true, ..Flags::default() },
            seq: 1,
            len: 0,
            ack: Some(1),
            window: None,
            options: Options::Any,
        };
        let event = Event { at: AT, when: Some(when), action: Action::Segment(line) };
        let script = Script { options: Vec::new(), events: vec![event] };
        prop_assert_eq!(parse(&script.to_string()), Ok(script));
    }

    #[test]
    fn no_text_is_too_much(text in any::<String>()) {
        let _ = parse(&text);
    }

    /// Pieces of scripts in any order come further into the parser than any text does.
    #[test]
    fn no_order_of_tokens_is_too_much(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..60)) {
        let _ = parse(&pieces.join(" "));
        let _ = parse(&pieces.concat());
    }
}

const PIECES: &[&str] = &[
    "+0",
    "0.1",
    "+.1",
    "...",
    "~",
    "*",
    "<",
    ">",
    "S.",
    "P.",
    "-",
    "1:1001(1000)",
    "0:0(0)",
    "ack 1",
    "win 257",
    "<mss 1460,sackOK>",
    "<...>",
    "[ce]",
    "(tos 0x2)",
    "nop",
    "sack 1:2 3:4",
    "TS val 1 ecr 2",
    "socket(",
    "write(4,",
    ")",
    "= 3",
    "= -1 EAGAIN (x y)",
    "[1]",
    "{a=1}",
    "`",
    "%{",
    "}%",
    "\"",
    "//",
    "/*",
    "*/",
    "#",
    "\n",
    "--mtu=1500",
    "--tolerance_usecs",
    "99999999999999999999",
    "0x",
    "|",
    ",",
    "setsockopt(3, SOL_SOCKET, SO_SNDBUF, [1], 4) = 0",
];

#[test]
fn everything_wrong_is_told_with_its_place() {
    let text = "--tolerance_msecs=1\n\
                0 socket(..., SOCK_DGRAM, 0) = 3\n\
                +0 frobnicate(3) = 0\n\
                +.1 < S 0:0(0) <mss 1460>\n\
                \x20 +.1 > X. 1:1(0) ack 1\n\
                +.1 < P. 1:1001(999) ack 1 win 9\n\
                +0~+.1 write(3, ..., 5) = 5\n\
                +0 setsockopt(3, SOL_TCP, TCP_FASTOPEN, [1], 4) = 0\n\
                +0 > . 1:1(0) ack 1 <md5 00>\n\
                +0 < udp (5)\n";
    let told: Vec<String> = parse(text).unwrap_err().iter().map(ToString::to_string).collect();
    let expected = [
        "1:1: the option --tolerance_msecs is not known",
        "2:15: `SOCK_DGRAM` is not supported here; known are SOCK_STREAM, SOCK_NONBLOCK, SOCK_CLOEXEC",
        "3:4: the system call `frobnicate` is not supported; there are socket",
        "4:16: an inbound segment has a window; write for example `win 257`",
        "5:9: `X` is no TCP flag; they are S F R P E W A and `.` for ACK",
        "6:10: 1:1001(999) does not agree; 999 bytes from 1 end at 1000",
        "7:1: a range of times is for outbound segments only; write one time",
        "8:27: the socket option `TCP_FASTOPEN` is not supported",
        "9:22: the TCP option `md5` is not supported",
        "10:6: `udp` packets are not supported; only TCP segments are",
    ];
    assert_eq!(told.len(), expected.len(), "{told:#?}");
    for (told, expected) in told.iter().zip(expected) {
        assert!(told.starts_with(expected), "{told}\n{expected}");
    }
}

#[test]
fn the_forms_that_scripts_use_are_read() {
    for line in [
        "0.000 > . 1:1001 (1000) ack 1 <...>",
        "+.002 ... 0.004 connect(3, ..., ...) = 0",
        "+0 > SEW 0:0(0) <mss 1460,nop , nop,sackOK, nop,wscale 8>",
        "+0 < [ect0] . 1:1(0) ack 1 win 257 <sack 1001:2001 3001:4001,nop,nop>",
        "+0 > (ect0) P. 1:1001(1000) ack 1",
        "+0 < - 1:1001(1000) win 20000",
        "* > R 1:1(0)",
        "0~0.5 > . 1:1(0) ack 1 /* why */ // and when",
        "+0 fcntl(3, F_GETFL) = 0x2 (flags O_RDWR)",
        "+0 sendmsg(4, {msg_name(...)=..., msg_iov(1)=[{..., 40}], msg_flags=0}, MSG_MORE) = 40",
        "+0 bind(3, {sa_family = AF_INET, sin_port = htons(80), sin_addr = inet_addr(\"192.0.2.1\")}, ...) = 0",
        "+0 setsockopt(3, SOL_SOCKET, SO_LINGER, {onoff=1, linger=0}, 8) = 0",
        "+0 setsockopt(3, SOL_TCP, TCP_CONGESTION, \"reno\", 4) = 0",
        "`sysctl -q x=\"1 2\"\necho \\`date\\``",
        "+0 %{\nassert tcpi_snd_cwnd == 10, tcpi_snd_cwnd\n}%",
    ] {
        assert!(parse(line).is_ok(), "{line}: {:?}", parse(line));
    }
}

#[test]
fn a_definition_stands_for_its_value() {
    let read = |text| parse(text).unwrap().events;
    let with = read("--define=CC=\"reno\"\n+0 setsockopt(3, SOL_TCP, TCP_CONGESTION, CC, 4) = 0");
    assert_eq!(with, read("+0 setsockopt(3, SOL_TCP, TCP_CONGESTION, \"reno\", 4) = 0"));
}
