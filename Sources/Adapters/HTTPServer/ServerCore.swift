internal import CMicroHTTPD
internal import Locks

/// The state for libmicrohttpd's callbacks; the server keeps it alive while its daemon runs.
final class ServerCore: Sendable {
    let maximumConnections: Int
    let connections: OpenConnections
    let decide: @Sendable (HTTPServerRequest) -> HTTPServerDecision
    let refuse: @Sendable (HTTPServerRequest, HTTPServerRefusal) -> HTTPServerResponse
    let bodies: Locked<BodyBudget>
    let tasks = TaskRegistry()
    /// The certificates for TLS handshakes; `nil` without TLS, and if the configured certificate cannot be used.
    let certificates: ServerCertificates?
    private let addresses: Locked<AddressCounts>
    private let open = Locked(Open())

    private struct Open {
        var isStopping = false
        /// Every exchange between its first and last callback.
        var exchanges: [ObjectIdentifier: Exchange] = [:]
    }

    private let configuration: HTTPServerConfiguration
    private let wake: WakePipe

    init(
        _ configuration: HTTPServerConfiguration,
        wake: WakePipe,
        decide: @escaping @Sendable (HTTPServerRequest) -> HTTPServerDecision,
        refuse: @escaping @Sendable (HTTPServerRequest, HTTPServerRefusal) -> HTTPServerResponse
    ) {
        self.configuration = configuration
        self.wake = wake
        certificates = configuration.tls.flatMap { TLSCredentials($0) }.map { ServerCertificates($0) }
        self.maximumConnections = FileDescriptorLimit.connections(wanted: max(1, configuration.maximumConnections))
        self.connections = OpenConnections(maximum: maximumConnections, configuration)
        self.bodies = Locked(BodyBudget(maximum: configuration.bodyBudget))
        self.addresses = Locked(
            AddressCounts(
                maximum: configuration.maximumConnectionsPerAddress,
                uncounted: configuration.addressesOfProxies
            )
        )
        self.decide = decide
        self.refuse = refuse
    }

    /// Creates a daemon of libmicrohttpd, which does nothing until a ``ServerThread`` runs it.
    ///
    /// - Parameter socket: The listening socket, which belongs to the daemon after it has started.
    /// - Returns: The daemon, or `nil` with `errno` set.
    func makeDaemon(on socket: Int32) -> OpaquePointer? {
        guard configuration.tls == nil || certificates != nil else { return nil }
        var options = cmhd_options(
            listen_socket: socket,
            // A few more, for connections that are closing while others replace them.
            connection_limit: UInt32(clamping: maximumConnections + 16),
            idle_timeout_seconds: UInt32(clamping: configuration.idleTimeout.components.seconds),
            // The header limit of http.sys, which served the real hub for years. Each connection keeps this memory after its
            // first request.
            connection_memory: 16 * 1024,
            show_certificate: nil
        )
        if certificates != nil {
            options.show_certificate = { _, _, _, _, _, chain, count, key in ServerCertificates.show(chain, count, key)
            }
        }
        return cmhd_start(
            options,
            Unmanaged.passUnretained(self).toOpaque(),
            { context, address, _ in
                guard let core = ServerCore.from(context) else { return .NO }
                return core.addresses.withLock { $0.admits(ClientAddress(address)) } ? .YES : .NO
            },
            { context, connection, slot, event in
                guard let core = ServerCore.from(context), let connection else { return }
                let client = ClientAddress(cmhd_client(connection))
                switch event {
                case .CONNECTION_NOTIFY_STARTED:
                    core.addresses.withLock { $0.open(client) }
                    slot?.pointee = UnsafeMutableRawPointer(id: core.connections.open(socket: cmhd_socket(connection)))
                case .CONNECTION_NOTIFY_CLOSED:
                    core.addresses.withLock { $0.close(client) }
                    if let id = slot?.pointee?.id { core.connections.close(id) }
                }
            },
            { context, uri, connection in
                guard let core = ServerCore.from(context), let connection else { return nil }
                return core.begin(target: uri, connection: connection)
            },
            { context, _, url, method, version, data, size, slot in
                guard let core = ServerCore.from(context), let exchange = Exchange.from(slot?.pointee), let size
                else { return .NO }
                let piece = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : size.pointee)
                size.pointee = 0
                let line = Exchange.Line(method: method, target: url, version: version)
                return exchange.proceed(line: line, piece: piece, core: core) ? .YES : .NO
            },
            { context, _, slot, _ in
                guard let core = ServerCore.from(context), let exchange = Exchange.from(slot?.pointee) else { return }
                slot?.pointee = nil
                core.end(exchange)
            }
        )
    }

    /// Resumes every suspended connection so that it can end; none can be suspended afterwards.
    func prepareToStop() {
        let exchanges = open.withLock { open in
            open.isStopping = true
            return Array(open.exchanges.values)
        }
        for exchange in exchanges { exchange.gate.endSuspensions() }
        tasks.cancelAll()
    }

    private func begin(target: UnsafePointer<CChar>?, connection: OpaquePointer) -> UnsafeMutableRawPointer {
        let exchange = Exchange(
            target: target,
            connection: connection,
            id: cmhd_socket_context(connection)?.id,
            gate: ConnectionGate(connection, wake: wake)
        )
        connections.move(exchange.id, to: .receiving)
        let isStopping = open.withLock { open in
            open.exchanges[ObjectIdentifier(exchange)] = exchange
            return open.isStopping
        }
        if isStopping { exchange.gate.endSuspensions() }
        return Unmanaged.passUnretained(exchange).toOpaque()
    }

    private func end(_ exchange: Exchange) {
        exchange.end(core: self)
        connections.move(exchange.id, to: .idle)
        open.withLock { _ = $0.exchanges.removeValue(forKey: ObjectIdentifier(exchange)) }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> ServerCore? {
        context.map { Unmanaged<ServerCore>.fromOpaque($0).takeUnretainedValue() }
    }
}

extension UnsafeMutableRawPointer {
    /// Stores an identifier of a connection in a pointer of libmicrohttpd; it is not a memory address.
    fileprivate init?(id: OpenConnections.Ages.ID) {
        // Zero would be a null pointer.
        self.init(bitPattern: id + 1)
    }

    fileprivate var id: OpenConnections.Ages.ID { Int(bitPattern: self) - 1 }
}

extension Exchange {
    /// The exchange that a slot of libmicrohttpd points to; ``ServerCore`` keeps it alive until its last callback.
    fileprivate static func from(_ slot: UnsafeMutableRawPointer?) -> Exchange? {
        slot.map { Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
    }
}
