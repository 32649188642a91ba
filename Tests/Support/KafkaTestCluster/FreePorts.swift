import TestSupport

/// Ports of loopback that were free a moment ago: a broker and its controller must know theirs beforehand.
///
/// - Parameter count: How many, each another.
/// - Returns: The ports.
/// - Throws: ``LoopbackListener/Failure`` if no port is free.
func freePorts(_ count: Int) throws -> [UInt16] {
    var listeners: [LoopbackListener] = []
    // All are held until all are known, so that none comes twice.
    defer { for listener in listeners { listener.close() } }
    for _ in 0..<count { listeners.append(try LoopbackListener()) }
    return listeners.map(\.port)
}
