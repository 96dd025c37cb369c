# The dumbbell of RFC 2415 with its web and ftp clients, for ns-2.35 (Debian's package ns2).
#
# Source: RFC 2415, section 2, for the scenario; ns-2's manual and its file of defaults for what has
# to be stated. TCP is Agent/TCP/FullTcp, which exchanges SYNs and FINs and counts in bytes.
#
# Everything that the two simulators must share comes from files: the sizes of the objects, used in
# turn, and each client's first request and pauses. Nothing is drawn here but the phase of each
# agent's clock, which moves RTT samples by less than a tick.
#
# Arguments are pairs of a name and a value; all of them are listed below.
# Output: one line "name value" for each count, on stdout; with -transfers a CSV of the completed
# connections, times in seconds; with -trace ns-2's own trace of the bottleneck.

# Options, as they are if nothing is said.
array set option {
    -sizes      ""
    -pauses     ""
    -transfers  ""
    -trace      ""
    -webs       8
    -ftps       0
    -window     1
    -limit      26
    -inline     3
    -file       1000000
    -request    80
    -duration   360
    -fin        beside
    -quiet      0.45
    -tick       0.001
    -minrto     0.2
    -initialrto 3.0
    -maxrto     60
    -hosts      4
    -seed       1
    -monitor    1
}
foreach {name value} $argv {
    if {![info exists option($name)]} {
        puts stderr "rfc2415.tcl: unknown option $name; there are [lsort [array names option]]"
        exit 2
    }
    set option($name) $value
}
foreach name {-sizes -pauses} {
    if {![file readable $option($name)]} {
        puts stderr "rfc2415.tcl: $name \"$option($name)\": no such file; say $name FILE"
        exit 2
    }
}
if {[lsearch {beside network} $option(-fin)] < 0} {
    puts stderr "rfc2415.tcl: -fin $option(-fin): say beside or network"
    exit 2
}

# Headers that no packet here uses cost memory and time in every packet.
remove-all-packet-headers
add-packet-header IP TCP Flags
ns-random $option(-seed)

# Every default that matters; those of ns-2 changed over the years.
Agent/TCP set window_ 11
Agent/TCP set windowInit_ $option(-window)
Agent/TCP set windowInitOption_ 1
Agent/TCP set maxcwnd_ 0
Agent/TCP set maxburst_ 0
Agent/TCP set max_ssthresh_ 0
Agent/TCP set windowOption_ 1
Agent/TCP set increase_num_ 1.0
Agent/TCP set decrease_num_ 0.5
Agent/TCP set overhead_ 0
Agent/TCP set ecn_ 0
Agent/TCP set tcpip_base_hdr_size_ 40
Agent/TCP set bugFix_ false
Agent/TCP set timestamps_ false
Agent/TCP set ts_resetRTO_ false
Agent/TCP set slow_start_restart_ false
Agent/TCP set restart_bugfix_ true
Agent/TCP set tcpTick_ $option(-tick)
Agent/TCP set minrto_ $option(-minrto)
Agent/TCP set maxrto_ $option(-maxrto)
Agent/TCP set rtxcur_init_ $option(-initialrto)
Agent/TCP set srtt_init_ 0
Agent/TCP set rttvar_init_ 12
Agent/TCP set rttvar_exp_ 2
Agent/TCP set T_SRTT_BITS 3
Agent/TCP set T_RTTVAR_BITS 2
Agent/TCP set rfc2988_ true
Agent/TCP set delay_growth_ true
Agent/TCP set precisionReduce_ true
Agent/TCP set control_increase_ 0
Agent/TCP set QOption_ 0
Agent/TCP/FullTcp set segsize_ 1460
Agent/TCP/FullTcp set segsperack_ 1
Agent/TCP/FullTcp set spa_thresh_ 0
Agent/TCP/FullTcp set interval_ 0
Agent/TCP/FullTcp set tcprexmtthresh_ 3
Agent/TCP/FullTcp set iss_ 0
Agent/TCP/FullTcp set nodelay_ true
Agent/TCP/FullTcp set data_on_syn_ false
Agent/TCP/FullTcp set dupseg_fix_ true
Agent/TCP/FullTcp set dupack_reset_ false
Agent/TCP/FullTcp set close_on_empty_ false
Agent/TCP/FullTcp set signal_on_empty_ false
Agent/TCP/FullTcp set reno_fastrecov_ true
Agent/TCP/FullTcp set pipectrl_ false
Agent/TCP/FullTcp set open_cwnd_on_pack_ true
Agent/TCP/FullTcp set nopredict_ false
# FullTcp cannot put a FIN onto the last of several segments. So the client closes first, when it has
# everything; with -fin beside the server's FIN does not go through the network, so that each
# connection has as many packets in each direction as one whose last segment has a FIN.
Agent/TCP/FullTcp set halfclose_ [expr {$option(-fin) eq "beside"}]
Agent set ttl_ 32

# ns-2 looks for the default of each of an agent's variables in its class, then in the one above; to
# make an agent takes half the time if all are found at once.
foreach class {Agent/TCP Agent} {
    foreach name [$class info vars] {
        if {[lsearch [Agent/TCP/FullTcp info vars] $name] < 0} {
            Agent/TCP/FullTcp set $name [$class set $name]
        }
    }
}
Queue set unblock_on_resume_ true
Queue/DropTail set drop_front_ false
Queue/DropTail set queue_in_bytes_ false
Queue/DropTail set summarystats_ false
DelayLink set avoidReordering_ false

# The network. ns-2 refuses a packet that would be the limit-th in the queue, not counting the one
# that is being sent: with a limit of 26, 25 wait.
set ns [new Simulator]
# The fastest of ns-2's schedulers here.
$ns use-scheduler Heap
set far [$ns node]
set near [$ns node]
$ns duplex-link $far $near 1.5Mb 50ms DropTail
$ns queue-limit $far $near $option(-limit)
$ns queue-limit $near $far $option(-limit)
for {set i 0} {$i < $option(-hosts)} {incr i} {
    set client($i) [$ns node]
    set server($i) [$ns node]
    set idle($i) {}
    foreach {a b} [list $near $client($i) $far $server($i)] {
        $ns duplex-link $a $b 10Mb 0ms DropTail
        $ns queue-limit $a $b 100000
        $ns queue-limit $b $a 100000
    }
}
if {$option(-trace) ne ""} {
    Trace set show_tcphdr_ 1
    $ns trace-queue $far $near [open $option(-trace) w]
}
if {$option(-monitor)} {
    set monitor [$ns monitor-queue $far $near ""]
    set back [$ns monitor-queue $near $far ""]
}

# Sizes: a column "bytes". Client k of n begins at item k * len / n and goes on cyclically.
set file [open $option(-sizes)]
set sizes [lrange [split [string trim [read $file]] "\n"] 1 end]
close $file
set size_count [llength $sizes]

# Pauses: a line a client; the time of the first request, then the pauses, in seconds.
set file [open $option(-pauses)]
set pauses [split [string trim [read $file]] "\n"]
close $file

set transfers ""
if {$option(-transfers) ne ""} {
    set transfers [open $option(-transfers) w]
    puts $transfers "kind,flow,page,stage,bytes,opened_s,completed_s"
}
array set total {connections 0 pages 0 files 0 agents 0}

# A pair of agents between a client's host and its server's, used for one connection after the other:
# to make an agent costs ns-2 as much as some hundred packets.
Class Pair
Pair instproc init {host} {
    global ns option client server total
    $self instvar host_ client_ server_ client_app_ server_app_
    set host_ $host
    set client_ [new Agent/TCP/FullTcp]
    set server_ [new Agent/TCP/FullTcp]
    $ns attach-agent $client($host) $client_
    $ns attach-agent $server($host) $server_
    $ns connect $client_ $server_
    set client_app_ [new Application/Asks $self]
    set server_app_ [new Application/Answers $self]
    $client_app_ attach-agent $client_
    $server_app_ attach-agent $server_
    $client_app_ start
    $server_app_ start
    $server_ set pair_ $self
    incr total(agents) 2
}

# Opens, sends a request, gets a response of so many bytes, closes. Calls the method `fetched` of
# `who` when everything has come.
Pair instproc fetch {who bytes stage} {
    global ns option total
    $self instvar client_ server_ who_ bytes_ left_ asked_ opened_ stage_
    set who_ $who
    set bytes_ $bytes
    set left_ $bytes
    set asked_ $option(-request)
    set stage_ $stage
    set opened_ [$ns now]
    incr total(connections)
    $server_ listen
    $client_ advance-bytes $asked_
}

# Bytes of the request have come; after the last of them the server writes the response.
Pair instproc asked {bytes} {
    $self instvar server_ asked_ bytes_
    incr asked_ -$bytes
    if {$asked_ == 0} {
        $server_ advance-bytes $bytes_
    }
}

# Bytes of the response have come; after the last of them the client closes.
Pair instproc answered {bytes} {
    global ns option transfers
    $self instvar client_ left_ who_ bytes_ opened_ stage_
    incr left_ -$bytes
    if {$left_ > 0} return
    $client_ close
    if {$option(-fin) eq "beside"} {
        $ns at [expr {[$ns now] + $option(-quiet)}] "$self close"
    }
    if {$transfers ne ""} {
        puts $transfers [format "%s,%d,%d,%d,%d,%.9f,%.9f" [$who_ set kind_] [$who_ set flow_] \
            [$who_ set page_] $stage_ $bytes_ $opened_ [$ns now]]
    }
    $who_ fetched
}

# The client's FIN was acknowledged long ago. What closes the server's side need not go through the
# network: its FIN is handed to the client, whose ACK comes by the way back, where nothing waits.
Pair instproc close {} {
    $self instvar client_ server_
    $server_ target $client_
    $server_ close
}

# Called by an agent that is closed; only a server's has a pair.
Agent/TCP/FullTcp instproc done {} {
    global ns option
    $self instvar pair_
    if {[info exists pair_]} {
        $ns at [expr {[$ns now] + $option(-quiet)}] "$pair_ rest"
    }
}

Pair instproc rest {} {
    global server idle
    $self instvar host_ server_
    $server_ target [$server($host_) entry]
    lappend idle($host_) $self
}

proc take_pair {flow} {
    global option idle
    set host [expr {$flow % $option(-hosts)}]
    if {[llength $idle($host)] == 0} {
        return [new Pair $host]
    }
    set pair [lindex $idle($host) end]
    set idle($host) [lrange $idle($host) 0 end-1]
    return $pair
}

Class Application/Asks -superclass Application
Application/Asks instproc init {pair} {
    $self set pair_ $pair
    $self next
}
Application/Asks instproc recv {bytes} {
    [$self set pair_] answered $bytes
}
Class Application/Answers -superclass Application
Application/Answers instproc init {pair} {
    $self set pair_ $pair
    $self next
}
Application/Answers instproc recv {bytes} {
    [$self set pair_] asked $bytes
}

# A web client: one object, then the in-line ones at the same time, then a pause.
Class Web
Web instproc init {number count} {
    global size_count pauses
    $self set kind_ web
    $self set flow_ $number
    $self set page_ -1
    $self set at_ [expr {$number * $size_count / $count}]
    $self set pauses_ [split [lindex $pauses $number] ","]
    $self pause
}

Web instproc pause {} {
    global ns
    $self instvar pauses_ page_
    incr page_
    set pause [lindex $pauses_ $page_]
    if {$pause eq ""} {
        puts stderr "rfc2415.tcl: -pauses has too few pauses for page $page_ of a client"
        exit 2
    }
    $ns at [expr {[$ns now] + $pause}] "$self open 0"
}

Web instproc open {stage} {
    global option sizes size_count
    $self instvar flow_ at_ stage_ waiting_
    set stage_ $stage
    set waiting_ [expr {$stage == 0 ? 1 : $option(-inline)}]
    for {set i $waiting_} {$i > 0} {incr i -1} {
        set bytes [lindex $sizes [expr {$at_ % $size_count}]]
        incr at_
        [take_pair $flow_] fetch $self $bytes $stage
    }
}

Web instproc fetched {} {
    global total
    $self instvar waiting_ stage_
    incr waiting_ -1
    if {$waiting_ > 0} return
    if {$stage_ == 0} {
        $self open 1
    } else {
        incr total(pages)
        $self pause
    }
}

# An ftp client: one file after the other.
Class Ftp
Ftp instproc init {number} {
    global ns pauses
    $self set kind_ ftp
    $self set flow_ $number
    $self set page_ -1
    $ns at [lindex [split [lindex $pauses $number] ","] 0] "$self open"
}
Ftp instproc open {} {
    global option
    $self instvar flow_ page_
    incr page_
    [take_pair $flow_] fetch $self $option(-file) 0
}
Ftp instproc fetched {} {
    global total
    incr total(files)
    $self open
}

for {set i 0} {$i < $option(-webs)} {incr i} { new Web $i $option(-webs) }
for {set i 0} {$i < $option(-ftps)} {incr i} { new Ftp [expr {$option(-webs) + $i}] }

proc finish {} {
    global ns option total transfers monitor back
    if {$transfers ne ""} { close $transfers }
    foreach name [lsort [array names total]] { puts "$name $total($name)" }
    if {$option(-monitor)} {
        foreach name {parrivals_ pdrops_ pdepartures_ bdepartures_} {
            puts "[string trim $name _] [$monitor set $name]"
        }
        puts "pdrops_back [$back set pdrops_]"
    }
    exit 0
}
$ns at $option(-duration) finish
$ns run
