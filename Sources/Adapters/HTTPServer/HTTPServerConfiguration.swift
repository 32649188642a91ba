/// Where a server listens and what it lets in.
package struct HTTPServerConfiguration: Sendable {
    /// The address or name to bind; the loopback address by default, so that nothing is open to others by accident.
    package var host: String
    /// The port to bind; 0 takes a free one, see ``HTTPServer/port``.
    package var port: UInt16
    /// A request with a larger body is answered 413 and its connection closed.
    package var maximumBodyBytes: Int
    /// How many connections are served at once; more wait in the system's queue until one ends.
    package var maximumConnections: Int
    /// Connections without traffic for this long are closed; whole seconds, zero means never. Does not run while a reply
    /// is worked on or a stream has nothing to send.
    package var idleTimeout: Duration
    /// How many threads read and write; one serves tens of thousands of small requests a second.
    package var threads: Int

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - host: The address or name to bind.
    ///   - port: The port to bind; 0 takes a free one.
    ///   - maximumBodyBytes: The largest body of a request.
    ///   - maximumConnections: How many connections are served at once.
    ///   - idleTimeout: How long a connection may be silent.
    ///   - threads: How many threads read and write.
    package init(
        host: String = "127.0.0.1",
        port: UInt16 = 0,
        maximumBodyBytes: Int = 1 << 20,
        maximumConnections: Int = 1000,
        idleTimeout: Duration = .seconds(60),
        threads: Int = 1
    ) {
        self.host = host
        self.port = port
        self.maximumBodyBytes = maximumBodyBytes
        self.maximumConnections = maximumConnections
        self.idleTimeout = idleTimeout
        self.threads = threads
    }
}
