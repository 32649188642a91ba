#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A bound and listening TCP socket; its owner closes it unless it is released.
struct ListeningSocket: ~Copyable {
    /// The file descriptor.
    let descriptor: Int32
    /// The bound port, also if 0 was requested.
    let port: UInt16

    /// Binds the first of a host's addresses that this machine has, IPv4 before IPv6.
    ///
    /// A name such as `localhost` may mean both. Clients that resolve a name try all its addresses; clients that are given
    /// 127.0.0.1 only try that one.
    ///
    /// - Parameters:
    ///   - host: An address or a name; resolving a name may take time.
    ///   - port: The port; 0 binds a free one.
    /// - Throws: ``HTTPServerError`` with what to do.
    init(host: String, port: UInt16) throws(HTTPServerError) {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Self.stream
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        // glibc accepts `*` for any address, but clients cannot use it.
        let status = host == "*" ? EAI_NONAME : getaddrinfo(host, String(port), &hints, &found)
        defer { found.map { freeaddrinfo($0) } }
        let all = Array(sequence(first: found) { $0?.pointee.ai_next }.prefix { $0 != nil }.compactMap { $0?.pointee })
        guard status == 0, !all.isEmpty else {
            let reason = gai_strerror(status).map { String(cString: $0) } ?? "error \(status)"
            throw HTTPServerError(
                code: .cannotResolve,
                message: """
                    cannot listen on \(host):\(port): \(reason); give an address of this machine, such as 127.0.0.1, or \
                    0.0.0.0 for all
                    """
            )
        }
        var problem = EADDRNOTAVAIL
        for address in all.filter({ $0.ai_family == AF_INET }) + all.filter({ $0.ai_family != AF_INET }) {
            if let bound = Self.bind(address) {
                (descriptor, self.port) = bound
                return
            }
            problem = errno
            // Only an address that this machine lacks leads to the next one: a port in use must be reported.
            guard [EAFNOSUPPORT, EADDRNOTAVAIL].contains(problem) else { break }
        }
        throw Self.error(problem, host: host, port: port)
    }

    /// Opens a socket that listens on an address.
    ///
    /// - Returns: The socket and its port, or `nil` with `errno` set.
    private static func bind(_ address: addrinfo) -> (descriptor: Int32, port: UInt16)? {
        let descriptor = socket(address.ai_family, stream | closeOnExec, 0)
        guard descriptor >= 0 else { return nil }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        if bindSocket(descriptor, address.ai_addr, address.ai_addrlen) == 0, listen(descriptor, SOMAXCONN) == 0,
            let port = boundPort(of: descriptor)
        {
            return (descriptor, port)
        }
        let problem = errno
        close(descriptor)
        errno = problem
        return nil
    }

    deinit {
        close(descriptor)
    }

    /// Passes the descriptor to another owner, who closes it.
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
            // The port is at the same offset in addresses of both families (RFC 3493, section 3.3).
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
        case EADDRNOTAVAIL, EAFNOSUPPORT:
            HTTPServerError(
                code: .addressNotAvailable,
                message:
                    "cannot listen on \(place): no interface of this machine has that address; use one of its own"
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

/// `bind` of the system, which the method hides.
private func bindSocket(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>?, _ length: socklen_t) -> Int32 {
    bind(descriptor, address, length)
}

/// A host and a port to listen on.
package struct ListenAddress: Sendable, Equatable {
    /// A name or an address, an IPv6 address without brackets.
    package var host: String
    /// The port; 0 for a free one.
    package var port: UInt16

    /// Creates an address.
    ///
    /// - Parameters:
    ///   - host: A name or an address, an IPv6 address without brackets.
    ///   - port: The port; 0 for a free one.
    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Parses an address, such as `127.0.0.1:9464` or `[::1]:9464`.
    ///
    /// - Parameter text: The address; the initializer fails without a port.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        guard !host.isEmpty else { return nil }
        self.init(host: host, port: port)
    }
}
