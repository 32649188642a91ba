internal import CMicroHTTPD
internal import Locks

/// What libmicrohttpd's callbacks need; kept alive by the server while its daemon runs.
final class ServerCore: Sendable {
    let maximumBodyBytes: Int
    let handler: @Sendable (HTTPServerRequest) -> HTTPServerReply
    let tasks = TaskRegistry()
    private let open = Locked(Open())

    private struct Open {
        var isShut = false
        /// Every exchange between its first and last callback.
        var exchanges: [ObjectIdentifier: Exchange] = [:]
    }

    init(maximumBodyBytes: Int, handler: @escaping @Sendable (HTTPServerRequest) -> HTTPServerReply) {
        self.maximumBodyBytes = maximumBodyBytes
        self.handler = handler
    }

    /// Starts libmicrohttpd's threads.
    ///
    /// - Parameters:
    ///   - socket: Belongs to the daemon when it has started.
    ///   - configuration: The limits.
    /// - Returns: The daemon, or nothing with `errno` set.
    func startDaemon(on socket: Int32, _ configuration: HTTPServerConfiguration) -> OpaquePointer? {
        let options = cmhd_options(
            listen_socket: socket,
            connection_limit: UInt32(clamping: max(1, configuration.maximumConnections)),
            idle_timeout_seconds: UInt32(clamping: configuration.idleTimeout.components.seconds),
            threads: UInt32(clamping: configuration.threads),
            connection_memory: 64 * 1024
        )
        return cmhd_start(
            options,
            Unmanaged.passUnretained(self).toOpaque(),
            { context, uri, connection in
                guard let core = ServerCore.from(context), let connection else { return nil }
                return core.begin(target: uri.map { String(cString: $0) } ?? "", connection: connection)
            },
            { context, _, _, method, _, data, size, slot in
                guard let core = ServerCore.from(context), let exchange = Exchange.from(slot?.pointee), let size
                else { return .NO }
                let piece = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : size.pointee)
                size.pointee = 0
                return exchange.proceed(method: method, piece: piece, core: core) ? .YES : .NO
            },
            { context, _, slot, _ in
                guard let core = ServerCore.from(context), let exchange = Exchange.from(slot?.pointee) else { return }
                slot?.pointee = nil
                core.end(exchange)
            }
        )
    }

    /// Lets every suspended connection go on to its end; none can be suspended after.
    func shut() {
        let exchanges = open.withLock { open in
            open.isShut = true
            return Array(open.exchanges.values)
        }
        for exchange in exchanges { exchange.gate.shut() }
        tasks.cancelAll()
    }

    private func begin(target: String, connection: OpaquePointer) -> UnsafeMutableRawPointer {
        let exchange = Exchange(target: target, connection: connection)
        let isShut = open.withLock { open in
            open.exchanges[ObjectIdentifier(exchange)] = exchange
            return open.isShut
        }
        if isShut { exchange.gate.shut() }
        return Unmanaged.passUnretained(exchange).toOpaque()
    }

    private func end(_ exchange: Exchange) {
        exchange.end()
        open.withLock { _ = $0.exchanges.removeValue(forKey: ObjectIdentifier(exchange)) }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> ServerCore? {
        context.map { Unmanaged<ServerCore>.fromOpaque($0).takeUnretainedValue() }
    }
}

extension Exchange {
    /// The exchange that a slot of libmicrohttpd points to; ``ServerCore`` keeps it alive until its last callback.
    fileprivate static func from(_ slot: UnsafeMutableRawPointer?) -> Exchange? {
        slot.map { Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
    }
}
