package import NewsflashKafkaMock
import NewsflashTestSupport

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension MockCluster {
    /// Stops the only broker while the body runs, and starts it again.
    ///
    /// The port stays bound meanwhile, because librdkafka aborts the process if another socket has it when the broker
    /// returns.
    ///
    /// - Parameter body: Runs without a broker.
    /// - Throws: ``ChildProcess/Failure`` if another socket has bound the port at once; the errors of the body.
    package func withoutBroker(_ body: () async throws -> Void) async throws {
        try stopBroker(1)
        let placeholder = try boundSocket(port: bootstrapServers.split(separator: ":").last.flatMap { UInt16($0) } ?? 0)
        defer { close(placeholder) }
        try await body()
        try startBroker(1)
    }
}

/// A socket that is bound to a port of loopback and does not listen. Connections are refused, and only a socket that
/// may share the port can be bound to it.
private func boundSocket(port: UInt16) throws -> Int32 {
    #if canImport(Glibc)
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
    let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var isShared: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isShared, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
            bind(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
    guard status == 0 else {
        close(descriptor)
        throw ChildProcess.Failure(description: "port \(port) was taken meanwhile")
    }
    return descriptor
}
