# A dumbbell of long transfers and HTTP sessions, for ns-2.35 (Debian's package ns2).
#
# Source: M. Parvez, A. Mahanti, C. Williamson, IEEE/ACM Transactions on Networking 18(2), 2010,
# section IV-A, for the traffic; ns-2's manual and its file of defaults for what has to be stated.
# TCP is Agent/TCP/Newreno and Agent/TCP/Reno, which count whole segments and send in one direction.
#
# Everything that the simulators must share comes from a file, a line a flow:
#   bulk,FLAVOR,RTT,START,WINDOW
#   http,FLAVOR,RTT,START,WINDOW,SEGMENTS,PAUSE,SEGMENTS,PAUSE,...
# with times in seconds and windows in segments. The client of an HTTP session asks at START, and then
# again a pause after the last byte of an answer. Nothing is drawn here but the phase of each agent's
# clock, which moves RTT samples by less than a tick.
#
# The client is not there: its SYN and its request travel on the way back, where nothing waits, and so
# does an ACK. What the server would send at those instants is sent: its SYN one way after the client's
# SYN; the next one a pause after the ACK of the last segment. With -fin 1 it also sends a packet
# without data when that ACK comes: the ACK of the client's FIN. (It does not come again if it is lost.
# An agent that has something in flight when it is reset takes the pause for its next RTT.)
#
# Arguments are pairs of a name and a value; all of them are listed below.
# Output: one line "name value" for each count, on stdout; connections, transfers and packets (sent into
# the bottleneck) of the whole run, the others, which -monitor 0 leaves out, from -warmup on.

# Options, as they are if nothing is said.
array set option {
    -flows      ""
    -rate       15Mb
    -delay      0.005
    -access     1Gb
    -limit      151
    -segment    960
    -duration   1000
    -warmup     250
    -fin        1
    -minrto     0.2
    -initialrto 3.0
    -maxrto     60
    -tick       0.001
    -seed       1
    -scheduler  Splay
    -monitor    1
}
foreach {name value} $argv {
    if {![info exists option($name)]} {
        puts stderr "newreno.tcl: unknown option $name; there are [lsort [array names option]]"
        exit 2
    }
    set option($name) $value
}
if {![file readable $option(-flows)]} {
    puts stderr "newreno.tcl: -flows \"$option(-flows)\": no such file; say -flows FILE"
    exit 2
}

# Headers that no packet here uses cost memory and time in every packet; RTP is that of Agent/UDP.
remove-all-packet-headers
add-packet-header IP TCP Flags RTP
ns-random $option(-seed)

# Every default that matters; those of ns-2 changed over the years.
Agent/TCP set packetSize_ $option(-segment)
Agent/TCP set useHeaders_ true
Agent/TCP set tcpip_base_hdr_size_ 40
Agent/TCP set syn_ true
Agent/TCP set delay_growth_ true
Agent/TCP set max_connects_ -1
Agent/TCP set windowInit_ 1
Agent/TCP set windowInitOption_ 1
Agent/TCP set maxcwnd_ 0
Agent/TCP set maxburst_ 0
Agent/TCP set aggressive_maxburst_ 1
Agent/TCP set max_ssthresh_ 0
Agent/TCP set numdupacks_ 3
Agent/TCP set numdupacksFrac_ -1
Agent/TCP set exitFastRetrans_ true
Agent/TCP set singledup_ 0
Agent/TCP set windowOption_ 1
Agent/TCP set increase_num_ 1.0
Agent/TCP set decrease_num_ 0.5
Agent/TCP set overhead_ 0
Agent/TCP set ecn_ 0
Agent/TCP set bugFix_ true
Agent/TCP set bugFix_ack_ false
Agent/TCP set bugFix_ts_ false
Agent/TCP set bugfix_ss_ 1
Agent/TCP set lessCareful_ false
Agent/TCP set timestamps_ false
Agent/TCP set ts_resetRTO_ false
Agent/TCP set slow_start_restart_ false
Agent/TCP set restart_bugfix_ true
Agent/TCP set noFastRetrans_ false
Agent/TCP set tcpTick_ $option(-tick)
Agent/TCP set minrto_ $option(-minrto)
Agent/TCP set maxrto_ $option(-maxrto)
Agent/TCP set rtxcur_init_ $option(-initialrto)
Agent/TCP set srtt_init_ 0
Agent/TCP set rttvar_init_ 12
Agent/TCP set rttvar_exp_ 2
Agent/TCP set T_SRTT_BITS 3
Agent/TCP set T_RTTVAR_BITS 2
Agent/TCP set updated_rttvar_ true
Agent/TCP set timerfix_ true
Agent/TCP set rfc2988_ true
Agent/TCP set precisionReduce_ true
Agent/TCP set control_increase_ 0
Agent/TCP set QOption_ 0
Agent/TCP set frto_enabled_ 0
Agent/TCP set sfrto_enabled_ 0
Agent/TCP set qs_enabled_ false
Agent/TCP/Newreno set newreno_changes_ 0
Agent/TCP/Newreno set newreno_changes1_ 1
Agent/TCP/Newreno set partial_window_deflation_ 1
Agent/TCP/Newreno set exit_recovery_fix_ 0
Agent/TCPSink set packetSize_ 40
Agent/TCPSink set generateDSacks_ false
Queue set unblock_on_resume_ true
Queue/DropTail set drop_front_ false
Queue/DropTail set queue_in_bytes_ false
Queue/DropTail set summarystats_ false
DelayLink set avoidReordering_ false

# ns-2 looks for the default of each of an agent's variables in its class, then in the one above; to
# make an agent is faster if all are found at once.
foreach {agent classes} {
    Agent/TCP/Newreno {Agent/TCP Agent} Agent/TCP/Reno {Agent/TCP Agent} Agent/TCPSink {Agent}
} {
    foreach class $classes {
        foreach name [$class info vars] {
            if {[lsearch [$agent info vars] $name] < 0} { $agent set $name [$class set $name] }
        }
    }
}

# The network: flows of one RTT have their ends at the same two hosts. Routes are stated, since ns-2
# takes longer to find them than to run. ns-2 refuses a packet that would be the limit-th in the queue,
# not counting the one that is being sent: with a limit of 151, 150 wait.
set ns [new Simulator]
$ns use-scheduler $option(-scheduler)
$ns rtproto Manual
set far [$ns node]
set near [$ns node]
$ns duplex-link $far $near $option(-rate) $option(-delay) DropTail
$ns queue-limit $far $near $option(-limit)
$ns queue-limit $near $far 100000
[$far get-module Manual] add-route-to-adj-node -default $near
[$near get-module Manual] add-route-to-adj-node -default $far

proc host {router delay} {
    global ns option
    set host [$ns node]
    $ns duplex-link $host $router $option(-access) $delay DropTail
    $ns queue-limit $host $router 100000
    $ns queue-limit $router $host 100000
    [$host get-module Manual] add-route-to-adj-node -default $router
    [$router get-module Manual] add-route-to-adj-node $host
    return $host
}

# The two hosts, server and client, of flows with this RTT.
proc hosts {rtt} {
    global option far near between
    if {![info exists between($rtt)]} {
        set delay [expr {($rtt - 2 * $option(-delay)) / 4}]
        set between($rtt) [list [host $far $delay] [host $near $delay]]
    }
    return $between($rtt)
}

array set total {connections 0 transfers 0 packets 0}

# A sender and its sink.
Class Flow
Flow instproc init {fields} {
    global ns option
    $self instvar agent_ sink_ fin_ fields_ at_
    lassign $fields kind flavor rtt start window
    lassign [hosts $rtt] server client
    set agent_ [new Agent/TCP/[string totitle $flavor]]
    set sink_ [new Agent/TCPSink]
    $agent_ set window_ $window
    # The flavor of RFC 5681 may retransmit fast at once again; that of RFC 6582 must not.
    if {$flavor eq "reno"} { $agent_ set bugFix_ false }
    $ns attach-agent $server $agent_
    $ns attach-agent $client $sink_
    $ns connect $agent_ $sink_
    if {$kind eq "bulk"} {
        $ns at $start "$agent_ advanceby 1000000000"
    } else {
        set fields_ $fields
        set at_ 5
        $agent_ set flow_ $self
        if {$option(-fin)} {
            set fin_ [new Agent/UDP]
            $fin_ set packetSize_ 40
            set nobody [new Agent/Null]
            $ns attach-agent $server $fin_
            $ns attach-agent $client $nobody
            $ns connect $fin_ $nobody
        }
        $ns at [expr {$start + $rtt / 2}] "$self answer"
    }
}

# The next transfer, from the SYN on; what is left of the last one is taken for old by both ends.
Flow instproc answer {} {
    global total
    $self instvar agent_ sink_ fields_ at_
    set segments [lindex $fields_ $at_]
    if {$segments eq ""} {
        puts stderr "newreno.tcl: -flows has too few transfers for a session"
        exit 2
    }
    incr total(connections)
    incr total(packets) [$agent_ set ndatapack_]
    $agent_ reset
    $sink_ reset
    $agent_ advanceby $segments
}

Flow instproc answered {} {
    global ns option total
    $self instvar fin_ fields_ at_
    incr total(transfers)
    if {$option(-fin)} {
        $fin_ send 40
        incr total(packets)
    }
    $ns at [expr {[$ns now] + [lindex $fields_ $at_+1]}] "$self answer"
    incr at_ 2
}

# Called when all is acknowledged; a long transfer never is.
Agent/TCP instproc done {} {
    [$self set flow_] answered
}

set file [open $option(-flows)]
foreach line [split [string trim [read $file]] "\n"] {
    set fields [split $line ","]
    set flow [new Flow $fields]
    lappend flows $flow
}
close $file

if {$option(-monitor)} {
    set monitor [$ns monitor-queue $far $near ""]
    set back [$ns monitor-queue $near $far ""]
}

# What is counted, now: of the bottleneck, and the segments of each flow that are acknowledged.
proc counts {} {
    global monitor flows
    set its {}
    foreach name {parrivals_ pdrops_ bdepartures_} { lappend its [string trim $name _] [$monitor set $name] }
    set number 0
    foreach flow $flows {
        set agent [$flow set agent_]
        lappend its acked_$number [$agent set ack_] timeouts_$number [$agent set nrexmit_]
        incr number
    }
    return $its
}

proc finish {} {
    global total option before back flows
    foreach flow $flows { incr total(packets) [[$flow set agent_] set ndatapack_] }
    foreach name [lsort [array names total]] { puts "$name $total($name)" }
    if {$option(-monitor)} {
        foreach {name value} [counts] { puts "$name [expr {$value - $before($name)}]" }
        puts "pdrops_back [$back set pdrops_]"
    }
    exit 0
}
if {$option(-monitor)} { $ns at $option(-warmup) { array set before [counts] } }
$ns at $option(-duration) finish
$ns run
