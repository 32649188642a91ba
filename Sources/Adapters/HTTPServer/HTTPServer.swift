internal import CNewsflashMicroHTTPD
internal import Dispatch
internal import NewsflashBasics

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// An HTTP/1.1 server based on libmicrohttpd, with or without TLS. The handler routes requests; the server manages limits and
/// connections.
///
/// Each request needs two decisions: with its head, before any of its body is kept, and when it is complete. The closures are
/// called on the server's thread and must not block: use ``HTTPServerDecision/later(_:)`` and
/// ``HTTPServerReply/later(_:)`` to wait. They should not own the server.
package final class HTTPServer: Sendable {
    /// The port that it listens on.
    package let port: UInt16
    /// The maximum number of connections at once: the configured number, or fewer if the system allows fewer.
    package var maximumConnections: Int { core.maximumConnections }

    let core: ServerCore
    /// `nil` after the server was asked to stop.
    private let daemon: Locked<Daemon?>

    /// Starts serving.
    ///
    /// - Parameters:
    ///   - configuration: The address, and the limits.
    ///   - decide: Decides on the basis of a request's head, whose body is empty; called for one request after another.
    ///   - refuse: Creates the response to a request that the server itself refuses, from its head.
    /// - Throws: ``HTTPServerError`` with what failed, where, and what to do.
    package init(
        _ configuration: HTTPServerConfiguration,
        decide: @escaping @Sendable (HTTPServerRequest) -> HTTPServerDecision,
        refuse: @escaping @Sendable (HTTPServerRequest, HTTPServerRefusal) -> HTTPServerResponse
    ) throws(HTTPServerError) {
        let socket = try ListeningSocket(host: configuration.host, port: configuration.port)
        guard let wake = WakePipe() else {
            throw HTTPServer.noResources(host: configuration.host, port: socket.port)
        }
        let core = ServerCore(configuration, wake: wake, decide: decide, refuse: refuse)
        guard let pointer = core.makeDaemon(on: socket.descriptor) else {
            throw configuration.tls == nil
                ? HTTPServer.noResources(host: configuration.host, port: socket.port)
                : HTTPServer.noCertificate(host: configuration.host, port: socket.port)
        }
        port = socket.port
        // From here on the daemon closes it.
        _ = socket.release()
        guard let thread = ServerThread.start(pointer, wake: wake, certificates: core.certificates) else {
            let error = HTTPServer.noResources(host: configuration.host, port: port)
            MHD_stop_daemon(pointer)
            throw error
        }
        self.core = core
        daemon = Locked(Daemon(pointer: pointer, thread: thread))
        // Ends with the other tasks when the server stops.
        _ = core.tasks.start { [connections = core.connections] in await connections.watch() }
    }

    /// Starts serving with one limit for all bodies, and plain text for refused requests.
    ///
    /// - Parameters:
    ///   - configuration: The address, and the limits.
    ///   - maximumBodyBytes: The largest body of a request.
    ///   - handler: Responds to a complete request; called for one after another.
    /// - Throws: ``HTTPServerError`` with what failed, where, and what to do.
    package convenience init(
        _ configuration: HTTPServerConfiguration,
        maximumBodyBytes: Int = 1 << 20,
        handler: @escaping @Sendable (HTTPServerRequest) -> HTTPServerReply
    ) throws(HTTPServerError) {
        try self.init(
            configuration,
            decide: { _ in .receive(upTo: maximumBodyBytes, handler) },
            refuse: { $1.response }
        )
    }

    private static func noResources(host: String, port: UInt16) -> HTTPServerError {
        HTTPServerError(
            code: .other,
            message: """
                cannot serve on \(host):\(port): \(String(cString: strerror(errno))); \
                see the limits of file descriptors and threads
                """
        )
    }

    private static func noCertificate(host: String, port: UInt16) -> HTTPServerError {
        HTTPServerError(
            code: .certificate,
            message: """
                cannot serve HTTPS on \(host):\(port): the certificate or its key cannot be used; give both in PEM, the \
                server's own certificate first, and the key without a passphrase
                """
        )
    }

    deinit {
        guard let daemon = daemon.withLock({ $0.take() }) else { return }
        core.prepareToStop()
        daemon.stop()
    }

    /// Stops serving: closes all connections, cancels the tasks that prepare responses, and returns when all have ended.
    ///
    /// The port is free afterwards. A second call returns at once.
    package func stop() async {
        guard let daemon = daemon.withLock({ $0.take() }) else { return }
        core.prepareToStop()
        await withCheckedContinuation { continuation in
            // Joins threads, so it must not run on the cooperative pool.
            DispatchQueue.global().async {
                daemon.stop()
                continuation.resume()
            }
        }
        await core.tasks.finish()
    }
}

// Unchecked, because libmicrohttpd's daemon may be stopped from any thread.
/// A running daemon of libmicrohttpd.
private struct Daemon: @unchecked Sendable {
    let pointer: OpaquePointer
    let thread: ServerThread

    /// Ends its thread, waits for that, closes all connections and frees everything.
    func stop() {
        thread.stop()
        MHD_stop_daemon(pointer)
    }
}
