internal import CNewsflashMicroHTTPD
internal import NewsflashBasics

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

/// The number of open connections of each client, by IPv4 address or IPv6 /64.
struct AddressCounts: Sendable {
    /// The maximum for one client; `nil` for no limit.
    let maximum: Int?
    /// Addresses without a limit, such as those of proxies, whose connections are those of all clients.
    let uncounted: [AddressRange]
    private var counts: [ClientAddress: Int] = [:]

    /// Creates empty counts.
    ///
    /// - Parameters:
    ///   - maximum: The maximum number of connections of one client; `nil` for no limit.
    ///   - uncounted: Addresses without a limit.
    init(maximum: Int?, uncounted: [AddressRange] = []) {
        self.maximum = maximum
        self.uncounted = uncounted
    }

    /// Whether a client may open another connection.
    func admits(_ client: ClientAddress?) -> Bool {
        guard let maximum, let client, isCounted(client) else { return true }
        return counts[client.network, default: 0] < maximum
    }

    /// Counts an opened connection.
    mutating func open(_ client: ClientAddress?) {
        guard maximum != nil, let client, isCounted(client) else { return }
        counts[client.network, default: 0] += 1
    }

    /// Counts a closed connection.
    mutating func close(_ client: ClientAddress?) {
        guard maximum != nil, let client, isCounted(client), let count = counts[client.network] else { return }
        counts[client.network] = count > 1 ? count - 1 : nil
    }

    private func isCounted(_ client: ClientAddress) -> Bool { !uncounted.contains { $0.contains(client) } }
}

/// The bytes of request bodies that a server keeps, from the head of each request to the end of its response.
///
/// A body counts with the length in its head, or with the maximum that it may have; so every started body can be received
/// completely.
struct BodyBudget: Sendable {
    /// The maximum number of bytes.
    let maximum: Int
    /// The bytes of the bodies that are kept or announced.
    private(set) var used = 0

    /// Creates an unused budget.
    ///
    /// - Parameter maximum: The maximum number of bytes.
    init(maximum: Int) {
        self.maximum = maximum
    }

    /// Reserves bytes if enough are free.
    ///
    /// - Parameter bytes: The number of bytes, not negative.
    /// - Returns: False if not enough are free.
    mutating func reserve(_ bytes: Int) -> Bool {
        guard bytes <= maximum - used else { return false }
        used += bytes
        return true
    }

    /// Releases reserved bytes.
    mutating func release(_ bytes: Int) {
        used -= bytes
    }
}
