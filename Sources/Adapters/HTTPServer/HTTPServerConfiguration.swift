/// Where a server listens and what it lets in.
package struct HTTPServerConfiguration: Sendable {
    /// The address or name to bind; the loopback address by default, so that nothing is open to others by accident.
    package var host: String
    /// The port to bind; 0 takes a free one, see ``HTTPServer/port``.
    package var port: UInt16
    /// A request with a larger body is answered ``tooLarge`` and its connection closed.
    package var maximumBodyBytes: Int
    /// The answer to a request whose body is too large; it is asked with the head alone.
    package var tooLarge: @Sendable (HTTPServerRequest) -> HTTPServerResponse
    /// How many connections are served at once; fewer where the system allows fewer file descriptors. For one more, the one
    /// that has been idle for longest is ended, or else the one whose request has been coming for longest; where all are
    /// being answered, it waits in the system's queue.
    package var maximumConnections: Int
    /// Connections without traffic for this long are closed; whole seconds, zero means never. Does not run while a reply
    /// is worked on or a stream has nothing to send.
    package var idleTimeout: Duration
    /// How long a request may take to come, from the end of its first line to the end of its body, however steadily it
    /// trickles; zero means for ever.
    package var requestTimeout: Duration
    /// How long a client may take to read an answer that is no stream, however steadily; zero means for ever.
    package var answerTimeout: Duration

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - host: The address or name to bind.
    ///   - port: The port to bind; 0 takes a free one.
    ///   - maximumBodyBytes: The largest body of a request.
    ///   - tooLarge: The answer to a larger one.
    ///   - maximumConnections: How many connections are served at once.
    ///   - idleTimeout: How long a connection may be silent.
    ///   - requestTimeout: How long a request may take to come.
    ///   - answerTimeout: How long a client may take to read an answer.
    package init(
        host: String = "127.0.0.1",
        port: UInt16 = 0,
        maximumBodyBytes: Int = 1 << 20,
        tooLarge: @escaping @Sendable (HTTPServerRequest) -> HTTPServerResponse = { _ in
            .text("The body of the request is too large.\n", status: 413)
        },
        maximumConnections: Int = 1000,
        idleTimeout: Duration = .seconds(60),
        requestTimeout: Duration = .seconds(30),
        answerTimeout: Duration = .seconds(120)
    ) {
        self.host = host
        self.port = port
        self.maximumBodyBytes = maximumBodyBytes
        self.tooLarge = tooLarge
        self.maximumConnections = maximumConnections
        self.idleTimeout = idleTimeout
        self.requestTimeout = requestTimeout
        self.answerTimeout = answerTimeout
    }
}
