// A dumbbell of long transfers and HTTP sessions, for ns-3.44 (the wheel `ns3`).
//
// Source: M. Parvez, A. Mahanti, C. Williamson, IEEE/ACM Transactions on Networking 18(2), 2010,
// section IV-A, for the traffic; ns-3's manual for its attributes, all of which that matter are stated.
// It is here for its speed; its TCP is not made equal to that of the other two: all flows have the same TCP
// (ns-3 has no other recovery without SACK than NewReno's), limited transmit is on, a packet has two bytes of
// PPP more. TCPs that are younger than NewReno have SACK, timestamps and an initial window of ten.
//
// Arguments: FLOWS RATE DELAY ACCESS LIMIT SEGMENT SECONDS TCP, the file as for newreno.tcl, RATE and ACCESS as
// "15Mbps", DELAY in seconds, LIMIT in packets, TCP as "TcpNewReno".
// Output: a line "name value" for each count.

#include "exchange.h"

#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/nix-vector-routing-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/traffic-control-module.h"

#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>

using namespace ns3;

namespace
{

// Of long transfers; each flow has its own.
constexpr uint16_t FIRST_PORT = 1000;

uint64_t transfers = 0;
uint64_t carried = 0;
uint64_t dropped = 0;

struct Line
{
    bool http;
    std::string rtt;
    double start;
    uint32_t window;
    std::vector<uint32_t> segments;
    std::vector<double> pauses;
};

// A client that fetches one file after the other, with pauses between.
class Session
{
  public:
    Session(const Line& line, uint32_t segmentBytes, Ptr<Node> client, Ipv4Address server)
        : m_line(line),
          m_segmentBytes(segmentBytes),
          m_client(client),
          m_server(server)
    {
        Simulator::Schedule(Seconds(line.start), &Session::Ask, this);
    }

  private:
    void Ask()
    {
        Create<exchange::Exchange>(m_client,
                                   m_server,
                                   m_line.segments.at(m_at) * m_segmentBytes,
                                   MakeCallback(&Session::Answered, this));
    }

    void Answered()
    {
        ++transfers;
        Simulator::Schedule(Seconds(m_line.pauses.at(m_at++)), &Session::Ask, this);
    }

    const Line& m_line;
    uint32_t m_segmentBytes;
    Ptr<Node> m_client;
    Ipv4Address m_server;
    size_t m_at = 0;
};

void
Discard(Ptr<Socket> socket)
{
    while (Ptr<Packet> packet = socket->Recv())
    {
        if (packet->GetSize() == 0)
        {
            return;
        }
    }
}

void
Take(Ptr<Socket> socket, const Address&)
{
    socket->SetRecvCallback(MakeCallback(&Discard));
}

void
Fill(Ptr<Socket> socket, uint32_t available)
{
    if (available > 0)
    {
        socket->Send(Create<Packet>(available));
    }
}

void
Connected(Ptr<Socket> socket)
{
    Fill(socket, socket->GetTxAvailable());
}

// A transfer without an end.
class Bulk
{
  public:
    Bulk(const Line& line, uint32_t segmentBytes, Ptr<Node> server, Ptr<Node> client, Address to)
    {
        uint32_t window = line.window * segmentBytes;
        m_sink = Socket::CreateSocket(client, TcpSocketFactory::GetTypeId());
        m_sink->SetAttribute("RcvBufSize", UintegerValue(window));
        m_sink->Bind(InetSocketAddress(Ipv4Address::GetAny(), InetSocketAddress::ConvertFrom(to).GetPort()));
        m_sink->Listen();
        m_sink->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                  MakeCallback(&Take));
        m_socket = Socket::CreateSocket(server, TcpSocketFactory::GetTypeId());
        m_socket->Bind();
        m_socket->SetConnectCallback(MakeCallback(&Connected), MakeNullCallback<void, Ptr<Socket>>());
        m_socket->SetSendCallback(MakeCallback(&Fill));
        m_to = to;
        Simulator::Schedule(Seconds(line.start), &Bulk::Open, this);
    }

  private:
    void Open()
    {
        m_socket->Connect(m_to);
    }

    Ptr<Socket> m_sink;
    Ptr<Socket> m_socket;
    Address m_to;
};

std::vector<Line>
Read(const char* path)
{
    std::vector<Line> lines;
    std::ifstream in(path);
    for (std::string text; std::getline(in, text);)
    {
        std::istringstream row(text);
        Line line;
        std::string item;
        auto next = [&] { return bool(std::getline(row, item, ',')); };
        next();
        line.http = item == "http";
        next();
        next();
        line.rtt = item;
        next();
        line.start = std::stod(item);
        next();
        line.window = std::stoul(item);
        while (next())
        {
            line.segments.push_back(std::stoul(item));
            next();
            line.pauses.push_back(std::stod(item));
        }
        lines.push_back(line);
    }
    return lines;
}

void
Carried(Ptr<const Packet>)
{
    ++carried;
}

void
Dropped(Ptr<const Packet>)
{
    ++dropped;
}

// The two ends of flows of one RTT: the server's node and address, and the client's.
struct Ends
{
    Ptr<Node> server;
    Ipv4Address serverAddress;
    Ptr<Node> client;
    Ipv4Address clientAddress;
};

} // namespace

int
main(int argc, char* argv[])
{
    if (argc != 9)
    {
        std::cerr << "usage: newreno FLOWS RATE DELAY ACCESS LIMIT SEGMENT SECONDS TCP\n";
        return 2;
    }
    auto lines = Read(argv[1]);
    if (lines.empty())
    {
        std::cerr << "newreno: no flows in " << argv[1] << "\n";
        return 2;
    }
    double delay = std::stod(argv[3]);
    uint32_t segment = std::stoul(argv[6]);
    std::string tcp = argv[8];
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::" + tcp));
    // A router looks at the address of the interface that a packet came by, not at those of all others.
    Config::SetDefault("ns3::Ipv4::StrongEndSystemModel", BooleanValue(true));
    exchange::requestBytes = segment;
    uint32_t window = lines.back().window * segment;
    if (tcp == "TcpNewReno")
    {
        exchange::StateDefaults(segment, 1, window, 262144);
    }
    else
    {
        exchange::StateDefaults(segment, 10, window, window);
        Config::SetDefault("ns3::TcpL4Protocol::RecoveryType", StringValue("ns3::TcpPrrRecovery"));
        Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(true));
        Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(true));
    }

    NodeContainer routers(2);
    Ipv4NixVectorHelper routing;
    InternetStackHelper internet;
    internet.SetRoutingHelper(routing);
    internet.SetIpv6StackInstall(false);
    internet.Install(routers);
    PointToPointHelper bottleneck;
    bottleneck.SetDeviceAttribute("DataRate", StringValue(argv[2]));
    bottleneck.SetChannelAttribute("Delay", TimeValue(Seconds(delay)));
    bottleneck.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue(std::string(argv[5]) + "p"));
    PointToPointHelper access;
    access.SetDeviceAttribute("DataRate", StringValue(argv[4]));
    access.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("100000p"));

    // Drop-tail at the device is all the queueing there is.
    TrafficControlHelper control;
    Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.252");
    auto connect = [&](PointToPointHelper& link, Ptr<Node> a, Ptr<Node> b) {
        NetDeviceContainer devices = link.Install(a, b);
        Ipv4InterfaceContainer interfaces = addresses.Assign(devices);
        control.Uninstall(devices);
        addresses.NewNetwork();
        return std::make_pair(devices, interfaces);
    };
    auto middle = connect(bottleneck, routers.Get(0), routers.Get(1));
    std::map<std::string, Ends> between;
    std::vector<std::unique_ptr<Session>> sessions;
    std::vector<std::unique_ptr<Bulk>> bulks;
    uint16_t port = FIRST_PORT;
    for (const Line& line : lines)
    {
        if (!between.contains(line.rtt))
        {
            NodeContainer hosts(2);
            internet.Install(hosts);
            access.SetChannelAttribute("Delay", TimeValue(Seconds((std::stod(line.rtt) - 2 * delay) / 4)));
            auto server = connect(access, hosts.Get(0), routers.Get(0)).second.GetAddress(0);
            auto client = connect(access, hosts.Get(1), routers.Get(1)).second.GetAddress(0);
            between[line.rtt] = {hosts.Get(0), server, hosts.Get(1), client};
            exchange::Serve(hosts.Get(0));
        }
        Ends& ends = between[line.rtt];
        if (line.http)
        {
            sessions.push_back(
                std::make_unique<Session>(line, segment, ends.client, ends.serverAddress));
        }
        else
        {
            InetSocketAddress to(ends.clientAddress, port++);
            bulks.push_back(std::make_unique<Bulk>(line, segment, ends.server, ends.client, to));
        }
    }
    auto queue = DynamicCast<PointToPointNetDevice>(middle.first.Get(0))->GetQueue();
    queue->TraceConnectWithoutContext("Enqueue", MakeCallback(&Carried));
    // What finds the device's queue full does not get as far as the device.
    routers.Get(0)->GetObject<TrafficControlLayer>()->TraceConnectWithoutContext(
        "TcDrop",
        MakeCallback(&Dropped));

    Simulator::Stop(Seconds(std::stod(argv[7])));
    Simulator::Run();
    std::cout << "connections " << exchange::connections << "\ntransfers " << transfers << "\npdepartures "
              << carried << "\npdrops " << dropped << "\nevents " << Simulator::GetEventCount() << "\n";
    Simulator::Destroy();
    return 0;
}
