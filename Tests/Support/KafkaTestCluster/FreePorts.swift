import TestSupport

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Ports of loopback that were free a moment ago: a broker and its controller must know theirs beforehand.
///
/// - Parameter count: How many, each another.
/// - Returns: The ports.
/// - Throws: ``ChildProcess/Failure`` when there are none.
func freePorts(_ count: Int) throws -> [UInt16] {
    var sockets: [Int32] = []
    // All are held until all are known, so that none comes twice.
    defer { for descriptor in sockets { close(descriptor) } }
    return try (0..<count).map { _ in
        #if canImport(Glibc)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        sockets.append(descriptor)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 ? getsockname(descriptor, pointer, &length) : -1
            }
        }
        guard status == 0 else { throw ChildProcess.Failure(description: "no free port: \(errno)") }
        return UInt16(bigEndian: address.sin_port)
    }
}
