#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A bound and listening TCP socket; closed with its owner unless given away.
struct ListeningSocket: ~Copyable {
    /// The file descriptor.
    let descriptor: Int32
    /// The port that was bound, also where 0 was asked for.
    let port: UInt16

    /// Binds the first address that the host stands for.
    ///
    /// - Parameters:
    ///   - host: An address or a name; names are looked up, which may take time.
    ///   - port: 0 takes a free one.
    /// - Throws: ``HTTPServerError`` with what to do.
    init(host: String, port: UInt16) throws(HTTPServerError) {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Self.stream
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, String(port), &hints, &found)
        defer { found.map { freeaddrinfo($0) } }
        guard status == 0, let address = found?.pointee else {
            let reason = gai_strerror(status).map { String(cString: $0) } ?? "error \(status)"
            throw HTTPServerError(
                code: .cannotResolve,
                message:
                    "cannot listen on \(host):\(port): \(reason); give an address of this machine, such as 127.0.0.1"
            )
        }
        let descriptor = socket(address.ai_family, Self.stream | Self.closeOnExec, 0)
        guard descriptor >= 0 else { throw Self.error(errno, host: host, port: port) }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor, address.ai_addr, address.ai_addrlen) == 0, listen(descriptor, SOMAXCONN) == 0,
            let bound = Self.boundPort(of: descriptor)
        else {
            let problem = errno
            close(descriptor)
            throw Self.error(problem, host: host, port: port)
        }
        self.descriptor = descriptor
        self.port = bound
    }

    deinit {
        close(descriptor)
    }

    /// Gives the descriptor to another owner, who closes it.
    ///
    /// - Returns: The descriptor.
    consuming func release() -> Int32 {
        let descriptor = descriptor
        discard self
        return descriptor
    }

    private static func boundPort(of descriptor: Int32) -> UInt16? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &storage) { bytes -> UInt16? in
            guard let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                getsockname(descriptor, address, &length) == 0
            else { return nil }
            // The port lies at the same place in addresses of both families (RFC 3493, section 3.3).
            return UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self))
        }
    }

    private static func error(_ number: Int32, host: String, port: UInt16) -> HTTPServerError {
        let place = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        return switch number {
        case EADDRINUSE:
            HTTPServerError(
                code: .portInUse,
                message:
                    "cannot listen on \(place): port \(port) is in use; end the other program or choose another port"
            )
        case EACCES, EPERM:
            HTTPServerError(
                code: .notPermitted,
                message:
                    "cannot listen on \(place): not permitted; choose a port above 1023 or grant the right to bind it"
            )
        case EADDRNOTAVAIL:
            HTTPServerError(
                code: .addressNotAvailable,
                message:
                    "cannot listen on \(place): no interface of this machine has that address; give one that it has"
            )
        default:
            HTTPServerError(
                code: .other,
                message: "cannot listen on \(place): \(String(cString: strerror(number))); see the system's limits"
            )
        }
    }

    #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    private static let closeOnExec = Int32(SOCK_CLOEXEC.rawValue)
    #else
    private static let stream = SOCK_STREAM
    private static let closeOnExec: Int32 = 0
    #endif
}
