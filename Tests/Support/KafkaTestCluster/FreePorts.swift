import NewsflashTestSupport

/// Finds free ports of loopback, because a broker and its controller must know their ports before they start.
///
/// - Parameter count: The number of different ports.
/// - Returns: The ports.
/// - Throws: ``LoopbackListener/Failure`` if no port is free.
func freePorts(_ count: Int) throws -> [UInt16] {
    var listeners: [LoopbackListener] = []
    // All sockets stay open until all ports are known, so that no port is returned twice.
    defer { for listener in listeners { listener.close() } }
    for _ in 0..<count { listeners.append(try LoopbackListener()) }
    return listeners.map(\.port)
}
