//! Scripts against the endpoint: which pass, which fail, and the reports.

#[path = "support/drill.rs"]
mod support;

use lab::drill::report::Failure;
use lab::drill::{Report, Setup, parse, run};
use support::setup;

const OPEN: &str = "0 socket(..., SOCK_STREAM, IPPROTO_TCP) = 3
+0 bind(3, ..., ...) = 0
+0 listen(3, 1) = 0
+0 < S 0:0(0) win 32792 <mss 1000,sackOK,nop,nop,nop,wscale 7>
+0 > S. 0:0(0) ack 1 <mss 1460,nop,nop,sackOK,nop,wscale 8>
+.1 < . 1:1(0) ack 1 win 257
+0 accept(3, ..., ...) = 4
";

fn report_of(text: &str, setup: &Setup) -> Report {
    run(&parse(text).unwrap_or_else(|problems| panic!("{problems:?}")), setup).unwrap()
}

fn passes(text: &str) -> Report {
    let report = report_of(text, &setup("cubic"));
    assert_eq!(report.failure, None, "{:#?}", report.trace);
    report
}

fn fails(text: &str) -> Failure {
    report_of(text, &setup("cubic")).failure.expect("this script fails")
}

#[test]
fn a_segment_may_stand_for_several() {
    passes(&format!("{OPEN}+0 write(4, ..., 4000) = 4000\n+0 > P. 1:4001(4000) ack 1"));
    passes(&format!(
        "{OPEN}+0 write(4, ..., 4000) = 4000\n+0 > . 1:1001(1000) ack 1\n+0 > . 1001:4001(3000) ack 1"
    ));
    let strict =
        format!("--strict_segments\n{OPEN}+0 write(4, ..., 4000) = 4000\n+0 > P. 1:4001(4000) ack 1");
    assert_eq!(fails(&strict).message, "expected length 4000, found 1000");
}

#[test]
fn a_difference_is_told_with_what_came_and_when() {
    let failure = fails(&format!("{OPEN}+.5 write(4, ..., 100) = 100\n+0 > P. 1:102(101) ack 1"));
    assert_eq!((failure.at.line, failure.event), (9, 8));
    assert_eq!(failure.message, "expected length 101, found 100");
    assert_eq!(failure.expected, "P. 1:102(101) ack 1 at 0.6 s");
    let came = failure.came.unwrap();
    assert_eq!((came.us, came.text.contains("1:101(100) ack 1")), (600_000, true));
}

#[test]
fn a_segment_that_does_not_come_is_told() {
    let failure = fails(&format!("{OPEN}+.5 > P. 1:101(100) ack 1"));
    assert_eq!(failure.message, "nothing came, and no event is left that could send anything");
}

#[test]
fn a_segment_out_of_time_is_told() {
    let with = |time: &str| {
        format!("{OPEN}+0 write(4, ..., 100) = 100\n+0 > P. 1:101(100) ack 1\n{time} > P. 1:101(100) ack 1")
    };
    // An RTT of 100 ms: a loss probe leaves after two of them and 200 ms more.
    passes(&with("+.4"));
    passes(&with("+.397"));
    passes(&with("+.1~+.41"));
    passes(&with("*"));
    let early = fails(&with("+.5"));
    assert_eq!((early.message.as_str(), early.came.unwrap().us), ("the segment came too early", 500_000));
    let late = fails(&with("+.3"));
    assert_eq!(late.message, "nothing came in time; this came next");
    passes(&format!("--tolerance_usecs=50000\n{}", with("+.44")));
    passes(&format!("--tolerance_percent=12.5\n{}", with("+.44")));
}

#[test]
fn what_the_script_does_not_expect_is_told_at_the_next_segment() {
    let failure = fails(&format!(
        "{OPEN}+0 write(4, ..., 100) = 100\n+.1 < . 1:1(0) ack 101 win 257\n+0 write(4, ..., 50) = 50\n\
         +0 > P. 101:151(50) ack 1"
    ));
    assert_eq!(failure.message, "expected sequence number 101, found 1");
}

#[test]
fn what_comes_after_the_last_expected_segment_is_told_and_fails_if_asked() {
    let text = format!("{OPEN}+0 write(4, ..., 100) = 100");
    assert_eq!(passes(&text).left.len(), 1);
    let failure = report_of(&text, &Setup { check_left: true, ..setup("cubic") }).failure.unwrap();
    assert_eq!(failure.message, "the script ends without expecting this segment");
}

#[test]
fn psh_is_compared_if_asked_for() {
    let text = format!("{OPEN}+0 write(4, ..., 100) = 100\n+0 > . 1:101(100) ack 1");
    passes(&text);
    let failure = report_of(&text, &Setup { check_psh: true, ..setup("cubic") }).failure.unwrap();
    assert_eq!(failure.message, "expected flags ., found P.");
}

#[test]
fn options_are_compared_without_their_order() {
    let with = |options: &str| OPEN.replace("<mss 1460,nop,nop,sackOK,nop,wscale 8>", options);
    passes(&with("<wscale 8,sackOK,mss 1460>"));
    passes(&with("<...>"));
    assert_eq!(fails(&with("<mss 1460,nop,wscale 8>")).message, "the option <sackOK> is not expected");
    assert_eq!(
        fails(&with("<mss 1400,sackOK,wscale 8>")).message,
        "expected the option <mss 1400>, found <mss 1460>"
    );
}

#[test]
fn calls_that_wait_return_when_they_can() {
    let accept = OPEN.replace("+0 accept(3, ..., ...) = 4\n", "");
    let accept = accept.replace("+0 < S", "+0...0.2 accept(3, ..., ...) = 4\n+.1 < S");
    passes(&format!("{accept}+0 write(4, ..., 10) = 10\n+0 > P. 1:11(10) ack 1"));
    passes(&format!("{OPEN}+0...0.1 read(4, ..., 100) = 50\n+.1 < P. 1:51(50) ack 1 win 257"));
    let late = fails(&format!("{OPEN}+0...0.1 read(4, ..., 100) = 50\n+.2 < P. 1:51(50) ack 1 win 257"));
    assert_eq!((late.at.line, late.message.as_str()), (8, "the call returns at 0.3 s and not at 0.2 s"));
    let never = fails(&format!("{OPEN}+0...0.1 read(4, ..., 100) = 50"));
    assert_eq!(never.message, "the call has not returned at 0.2 s");
    let blocks = fails(&format!("{OPEN}+0 read(4, ..., 100) = 50"));
    assert!(blocks.message.starts_with("the call blocks"), "{}", blocks.message);
}

#[test]
fn a_socket_that_does_not_wait_says_so() {
    passes(&format!(
        "{OPEN}+0 fcntl(4, F_SETFL, O_RDWR|O_NONBLOCK) = 0\n\
         +0 read(4, ..., 100) = -1 EAGAIN (Resource temporarily unavailable)\n\
         +0 < P. 1:51(50) ack 1 win 257\n+0 read(4, ..., 100) = 50\n+0 close(9) = -1 EBADF (Bad file descriptor)"
    ));
    let failure = fails(&format!("{OPEN}+0 recv(4, ..., 100, MSG_DONTWAIT) = 100"));
    assert_eq!(failure.message, "the call fails with EAGAIN");
}

#[test]
fn a_full_send_buffer_holds_a_writer() {
    let text = format!(
        "{OPEN}+0 setsockopt(4, SOL_SOCKET, SO_SNDBUF, [5000], 4) = 0\n\
         +0 getsockopt(4, SOL_SOCKET, SO_SNDBUF, [10000], [4]) = 0\n\
         +0...0.1 write(4, ..., 12000) = 12000\n+0 > P. 1:10001(10000) ack 1\n\
         +.1 < . 1:1(0) ack 2001 win 257\n+0 > . 10001:12001(2000) ack 1"
    );
    passes(&text);
}

#[test]
fn a_cork_holds_what_fills_no_segment() {
    passes(&format!(
        "{OPEN}+0 setsockopt(4, SOL_TCP, TCP_NODELAY, [1], 4) = 0\n\
         +0 setsockopt(4, SOL_TCP, TCP_CORK, [1], 4) = 0\n+0 write(4, ..., 1040) = 1040\n+0 > . 1:1001(1000) ack 1\n\
         +.05 write(4, ..., 40) = 40\n+.01 setsockopt(4, SOL_TCP, TCP_CORK, [0], 4) = 0\n+0 > P. 1001:1081(80) ack 1"
    ));
}

#[test]
fn shell_lines_change_the_connection_that_comes() {
    let without = OPEN.replace("nop,nop,sackOK,", "");
    let report = passes(&format!("`sysctl -q net.ipv4.tcp_sack=0 net.ipv4.tcp_syn_retries=2`\n{without}"));
    let told: Vec<&str> = report.not_applied.iter().map(|note| note.text.as_str()).collect();
    assert_eq!(told, ["net.ipv4.tcp_syn_retries=2"]);
    let late = passes(&format!("{OPEN}+0 `sysctl -q net.ipv4.tcp_sack=0`"));
    assert_eq!(late.not_applied[0].reason, "the connection exists already and keeps its settings");
}

#[test]
fn numbers_begin_anew_in_the_script_and_wrap_in_the_header() {
    passes(
        "0 socket(..., SOCK_STREAM, IPPROTO_TCP) = 3
        +0 bind(3, ..., ...) = 0
        +0 listen(3, 1) = 0
        +0 < S 4294967295:4294967295(0) win 32792 <mss 1000>
        +0 > S. 1000:1000(0) ack 0 <mss 1460>
        +.1 < . 1:1(0) ack 1 win 10000
        +0 accept(3, ..., ...) = 4
        +0 write(4, ..., 100) = 100
        +0 > P. 1:101(100) ack 1",
    );
}

#[test]
fn a_connection_is_opened_actively() {
    passes(
        "0 socket(..., SOCK_STREAM, IPPROTO_TCP) = 3
        +0 fcntl(3, F_SETFL, O_RDWR|O_NONBLOCK) = 0
        +0 connect(3, ..., ...) = -1 EINPROGRESS (Operation now in progress)
        +0 > S 0:0(0) <mss 1460,sackOK,TS val 100 ecr 0,nop,wscale 8>
        +.1 < S. 0:0(0) ack 1 win 5792 <mss 1000,sackOK,TS val 700 ecr 100,nop,wscale 7>
        +0 > . 1:1(0) ack 1 <nop,nop,TS val 200 ecr 700>
        +0 getsockopt(3, SOL_SOCKET, SO_ERROR, [0], [4]) = 0
        +.1 write(3, ..., 100) = 100
        +0 > P. 1:101(100) ack 1 <nop,nop,TS val 300 ecr 700>",
    );
}

#[test]
fn timestamps_are_compared_if_the_script_says_what_a_tick_is() {
    let with = |value: u32| {
        format!(
            "--tcp_ts_tick_usecs=1000\n0 socket(..., SOCK_STREAM, IPPROTO_TCP) = 3\n+0 bind(3, ..., ...) = 0\n\
             +0 listen(3, 1) = 0\n+0 < S 0:0(0) win 20000 <mss 1000,sackOK,TS val 100 ecr 0>\n\
             +0 > S. 0:0(0) ack 1 <mss 1460,sackOK,TS val 100 ecr 100>\n\
             +.1 < . 1:1(0) ack 1 win 20000 <nop,nop,TS val 200 ecr 100>\n+0 accept(3, ..., ...) = 4\n\
             +1 close(4) = 0\n+0 > F. 1:1(0) ack 1 <nop,nop,TS val {value} ecr 200>"
        )
    };
    passes(&with(1200));
    assert!(fails(&with(1300)).message.starts_with("expected the option <TS val 1300"));
}

#[test]
fn a_block_sees_how_things_stand() {
    let report = passes(&format!("{OPEN}+0 write(4, ..., 4000) = 4000\n+0 %{{ assert x }}%"));
    let block = &report.blocks[0];
    assert_eq!((block.at.line, block.at.column, block.us, block.code.as_str()), (9, 4, 100_000, "assert x"));
    assert_eq!((block.values["tcpi_unacked"], block.values["tcpi_snd_cwnd"]), (4, 10));
    assert_eq!((block.values["tcpi_state"], block.values["tcpi_rtt"]), (1, 100_000));
}

#[test]
fn time_does_not_go_back() {
    let failure = fails(&format!("{OPEN}0.05 write(4, ..., 1) = 1"));
    assert!(failure.message.starts_with("this time has passed"), "{}", failure.message);
}

#[test]
fn every_flavor_opens_and_closes_a_connection() {
    for (flavor, ..) in lab::flavors() {
        let text = "0 socket(..., SOCK_STREAM, IPPROTO_TCP) = 3
            +0 bind(3, ..., ...) = 0
            +0 listen(3, 1) = 0
            +0 < S 0:0(0) win 32792 <mss 1000>
            +0 > S. 0:0(0) ack 1 <mss 1460>
            +.1 < . 1:1(0) ack 1 win 32792
            +0 accept(3, ..., ...) = 4
            +0 close(4) = 0
            +0 > F. 1:1(0) ack 1
            +.1 < F. 1:1(0) ack 2 win 32792
            +0 > . 2:2(0) ack 2";
        let report = report_of(text, &setup(flavor));
        assert_eq!(report.failure, None, "{flavor}: {:#?}", report.trace);
    }
}
