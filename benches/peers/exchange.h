// One connection with a request and an answer, for ns-3.44: what rfc2415.cc and newreno.cc share.
//
// The client connects, asks, reads and closes; the server answers with what it has been told that this
// client wants, and closes. Sockets and buffers are ns-3's own.

#pragma once

#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"

#include <map>

namespace exchange
{

constexpr uint16_t PORT = 80;

// What a server will be asked for, by the address of the client's socket.
inline std::map<std::pair<uint32_t, uint16_t>, uint32_t> responses;
// The bytes of a request that a server's socket has not seen yet, and those of the answer, by socket.
inline std::map<ns3::Socket*, std::pair<uint32_t, uint32_t>> asked;
inline uint32_t requestBytes = 80;
inline uint64_t connections = 0;

class Exchange : public ns3::SimpleRefCount<Exchange>
{
  public:
    Exchange(ns3::Ptr<ns3::Node> node, ns3::Ipv4Address server, uint32_t bytes, ns3::Callback<void> done)
        : m_left(bytes),
          m_done(done)
    {
        ++connections;
        m_socket = ns3::Socket::CreateSocket(node, ns3::TcpSocketFactory::GetTypeId());
        m_socket->Bind();
        ns3::Address local;
        m_socket->GetSockName(local);
        // Not bound to an address before it connects, so the node's only one is meant.
        auto from = node->GetObject<ns3::Ipv4>()->GetAddress(1, 0).GetLocal();
        responses[{from.Get(), ns3::InetSocketAddress::ConvertFrom(local).GetPort()}] = bytes;
        // The socket keeps this alive: it may call back when the answer has long been read.
        ns3::Ptr<Exchange> self(this);
        m_socket->SetConnectCallback(ns3::MakeCallback(&Exchange::Connected, self),
                                     ns3::MakeNullCallback<void, ns3::Ptr<ns3::Socket>>());
        m_socket->SetRecvCallback(ns3::MakeCallback(&Exchange::Received, self));
        m_socket->Connect(ns3::InetSocketAddress(server, PORT));
    }

  private:
    void Connected(ns3::Ptr<ns3::Socket> socket)
    {
        socket->Send(ns3::Create<ns3::Packet>(requestBytes));
    }

    void Received(ns3::Ptr<ns3::Socket> socket)
    {
        while (ns3::Ptr<ns3::Packet> packet = socket->Recv())
        {
            if (packet->GetSize() == 0)
            {
                return;
            }
            m_left -= packet->GetSize();
        }
        if (m_left == 0 && m_socket)
        {
            m_socket->Close();
            m_socket = nullptr;
            m_done();
        }
    }

    ns3::Ptr<ns3::Socket> m_socket;
    uint32_t m_left;
    ns3::Callback<void> m_done;
};

inline void
ReadRequest(ns3::Ptr<ns3::Socket> socket)
{
    while (ns3::Ptr<ns3::Packet> packet = socket->Recv())
    {
        if (packet->GetSize() == 0)
        {
            return;
        }
        auto found = asked.find(ns3::PeekPointer(socket));
        if (found == asked.end())
        {
            return;
        }
        found->second.first -= packet->GetSize();
        if (found->second.first == 0)
        {
            socket->Send(ns3::Create<ns3::Packet>(found->second.second));
            socket->Close();
            asked.erase(found);
            return;
        }
    }
}

inline void
Accept(ns3::Ptr<ns3::Socket> socket, const ns3::Address& from)
{
    auto address = ns3::InetSocketAddress::ConvertFrom(from);
    auto found = responses.find({address.GetIpv4().Get(), address.GetPort()});
    asked[ns3::PeekPointer(socket)] = {requestBytes, found->second};
    responses.erase(found);
    socket->SetRecvCallback(ns3::MakeCallback(&ReadRequest));
}

// Makes a node answer.
inline void
Serve(ns3::Ptr<ns3::Node> node)
{
    ns3::Ptr<ns3::Socket> listener = ns3::Socket::CreateSocket(node, ns3::TcpSocketFactory::GetTypeId());
    listener->Bind(ns3::InetSocketAddress(ns3::Ipv4Address::GetAny(), PORT));
    listener->Listen();
    listener->SetAcceptCallback(ns3::MakeNullCallback<bool, ns3::Ptr<ns3::Socket>, const ns3::Address&>(),
                                ns3::MakeCallback(&Accept));
}

// What ns-3 takes for granted in other ways from version to version.
inline void
StateDefaults(uint32_t segmentBytes, uint32_t initialWindow, uint32_t receiveBytes, uint32_t sendBytes)
{
    using namespace ns3;
    Config::SetDefault("ns3::TcpL4Protocol::RecoveryType", StringValue("ns3::TcpClassicRecovery"));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(segmentBytes));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(initialWindow));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(1));
    Config::SetDefault("ns3::TcpSocket::TcpNoDelay", BooleanValue(true));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(receiveBytes));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(sendBytes));
    Config::SetDefault("ns3::TcpSocket::ConnTimeout", TimeValue(Seconds(3)));
    Config::SetDefault("ns3::TcpSocket::ConnCount", UintegerValue(20));
    Config::SetDefault("ns3::TcpSocket::DataRetries", UintegerValue(20));
    Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(false));
    Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(false));
    // Without it an assertion of TcpSocketBase::SendPendingData fails under load.
    Config::SetDefault("ns3::TcpSocketBase::LimitedTransmit", BooleanValue(true));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(Seconds(0.2)));
    // A closed socket stays in a list that is searched for every packet.
    Config::SetDefault("ns3::TcpSocketBase::MaxSegLifetime", DoubleValue(1));
    Config::SetDefault("ns3::RttEstimator::InitialEstimation", TimeValue(Seconds(3)));
}

} // namespace exchange
