"""p, q, R and RTO of a TCP connection from the packets that its sender sent and received."""
