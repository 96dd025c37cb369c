// The dumbbell of RFC 2415 with its web and ftp clients, for ns-3.44 (the wheel `ns3`).
//
// Source: RFC 2415, section 2; ns-3's manual for its attributes, all of which that matter are stated.
// It is here for its speed; its TCP is not made equal to that of the other two: recovery is ns-3's
// "classic" one, cwnd grows as in Linux' Reno, and a packet has two bytes of PPP more.
//
// Arguments: SIZES PAUSES WEBS FTPS WINDOW SECONDS, the two files as for rfc2415.tcl.
// Output: a line "name value" for each count.

#include "exchange.h"

#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/traffic-control-module.h"

#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>

using namespace ns3;

namespace
{

constexpr uint32_t FILE_BYTES = 1000000;
constexpr uint32_t INLINE_OBJECTS = 3;
constexpr uint32_t HOSTS = 4;

uint64_t pages = 0;
uint64_t files = 0;
uint64_t carried = 0;
uint64_t dropped = 0;

// A client: a web client if it has sizes, an ftp client if not.
class Client
{
  public:
    Client(Ptr<Node> node, Ipv4Address server, std::vector<double> pauses)
        : m_node(node),
          m_server(server),
          m_pauses(std::move(pauses))
    {
    }

    void Browse(const std::vector<uint32_t>* sizes, size_t at)
    {
        m_sizes = sizes;
        m_at = at;
        Pause();
    }

    void Fetch()
    {
        Simulator::Schedule(Seconds(m_pauses.at(0)), &Client::Open, this, 1);
    }

  private:
    void Pause()
    {
        Simulator::Schedule(Seconds(m_pauses.at(m_page++)), &Client::Open, this, 1);
    }

    void Open(uint32_t count)
    {
        m_old.clear();
        m_old.swap(m_exchanges);
        m_waiting = count;
        for (uint32_t i = 0; i < count; ++i)
        {
            uint32_t bytes = m_sizes ? m_sizes->at(m_at++ % m_sizes->size()) : FILE_BYTES;
            m_exchanges.push_back(
                Create<exchange::Exchange>(m_node, m_server, bytes, MakeCallback(&Client::Fetched, this)));
        }
    }

    void Fetched()
    {
        if (--m_waiting > 0)
        {
            return;
        }
        if (!m_sizes)
        {
            ++files;
            Simulator::ScheduleNow(&Client::Open, this, 1);
        }
        else if (m_exchanges.size() == 1)
        {
            Simulator::ScheduleNow(&Client::Open, this, INLINE_OBJECTS);
        }
        else
        {
            ++pages;
            Pause();
        }
    }

    Ptr<Node> m_node;
    Ipv4Address m_server;
    std::vector<double> m_pauses;
    const std::vector<uint32_t>* m_sizes = nullptr;
    size_t m_at = 0;
    size_t m_page = 0;
    uint32_t m_waiting = 0;
    std::vector<Ptr<exchange::Exchange>> m_exchanges;
    std::vector<Ptr<exchange::Exchange>> m_old;
};

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

} // namespace

int
main(int argc, char* argv[])
{
    if (argc != 7)
    {
        std::cerr << "usage: rfc2415 SIZES PAUSES WEBS FTPS WINDOW SECONDS\n";
        return 2;
    }
    uint32_t webs = std::stoul(argv[3]);
    uint32_t ftps = std::stoul(argv[4]);
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::TcpLinuxReno"));
    Config::SetDefault("ns3::TcpSocketBase::WindowScaling", BooleanValue(false));
    exchange::StateDefaults(1460, std::stoul(argv[5]), 11 * 1460, 4000000);

    std::vector<uint32_t> sizes;
    std::ifstream in(argv[1]);
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line))
    {
        sizes.push_back(std::stoul(line));
    }
    std::vector<std::vector<double>> pauses;
    std::ifstream their(argv[2]);
    while (std::getline(their, line))
    {
        std::istringstream row(line);
        std::vector<double> its;
        for (std::string item; std::getline(row, item, ',');)
        {
            its.push_back(std::stod(item));
        }
        pauses.push_back(its);
    }
    if (sizes.empty() || pauses.size() < webs + ftps)
    {
        std::cerr << "rfc2415: too little in " << argv[1] << " or " << argv[2] << "\n";
        return 2;
    }

    NodeContainer routers(2);
    NodeContainer clients(HOSTS);
    NodeContainer servers(HOSTS);
    InternetStackHelper internet;
    internet.InstallAll();
    PointToPointHelper bottleneck;
    bottleneck.SetDeviceAttribute("DataRate", StringValue("1.5Mbps"));
    bottleneck.SetChannelAttribute("Delay", StringValue("50ms"));
    bottleneck.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("25p"));
    PointToPointHelper access;
    access.SetDeviceAttribute("DataRate", StringValue("10Mbps"));
    access.SetChannelAttribute("Delay", StringValue("0ms"));
    access.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("100000p"));

    // Drop-tail at the device is all the queueing there is.
    TrafficControlHelper control;
    Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
    auto connect = [&](PointToPointHelper& link, Ptr<Node> a, Ptr<Node> b) {
        NetDeviceContainer devices = link.Install(a, b);
        Ipv4InterfaceContainer interfaces = addresses.Assign(devices);
        control.Uninstall(devices);
        addresses.NewNetwork();
        return std::make_pair(devices, interfaces);
    };
    auto middle = connect(bottleneck, routers.Get(0), routers.Get(1));
    std::vector<Ipv4Address> serverAddresses;
    for (uint32_t i = 0; i < HOSTS; ++i)
    {
        connect(access, clients.Get(i), routers.Get(1));
        serverAddresses.push_back(connect(access, servers.Get(i), routers.Get(0)).second.GetAddress(0));
        exchange::Serve(servers.Get(i));
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    auto queue = DynamicCast<PointToPointNetDevice>(middle.first.Get(0))->GetQueue();
    queue->TraceConnectWithoutContext("Enqueue", MakeCallback(&Carried));
    // What finds the device's queue full does not get as far as the device.
    routers.Get(0)->GetObject<TrafficControlLayer>()->TraceConnectWithoutContext(
        "TcDrop",
        MakeCallback(&Dropped));

    std::vector<std::unique_ptr<Client>> all;
    for (uint32_t i = 0; i < webs + ftps; ++i)
    {
        all.push_back(
            std::make_unique<Client>(clients.Get(i % HOSTS), serverAddresses[i % HOSTS], pauses[i]));
        if (i < webs)
        {
            all.back()->Browse(&sizes, i * sizes.size() / webs);
        }
        else
        {
            all.back()->Fetch();
        }
    }
    Simulator::Stop(Seconds(std::stod(argv[6])));
    Simulator::Run();
    std::cout << "connections " << exchange::connections << "\npages " << pages << "\nfiles " << files
              << "\npdepartures " << carried << "\npdrops " << dropped << "\nevents "
              << Simulator::GetEventCount() << "\n";
    Simulator::Destroy();
    return 0;
}
