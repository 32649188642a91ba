import Glibc

/// Sockets of 127.0.0.1.
enum Loopback {
    struct Failure: Error {}

    /// Opens a listening socket on a free port.
    static func listen() throws -> (socket: Int32, port: UInt16) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { throw Failure() }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutableBytes(of: &address) { bytes -> Int32 in
            guard let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress else { return -1 }
            guard bind(listener, pointer, length) == 0, Glibc.listen(listener, 512) == 0 else { return -1 }
            return getsockname(listener, pointer, &length)
        }
        guard status == 0 else {
            close(listener)
            throw Failure()
        }
        return (listener, UInt16(bigEndian: address.sin_port))
    }

    /// Opens a connection to a port.
    static func connect(to port: UInt16) throws -> Int32 {
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard client >= 0 else { throw Failure() }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        address.sin_port = port.bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeBytes(of: &address) { bytes -> Int32 in
            guard let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress else { return -1 }
            return Glibc.connect(client, pointer, length)
        }
        guard status == 0 else {
            close(client)
            throw Failure()
        }
        return client
    }

    static func close(_ socket: Int32) {
        Glibc.close(socket)
    }

    /// Makes the socket send each write at once.
    static func sendAtOnce(_ socket: Int32) {
        var option: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &option, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Returns a port that was free a moment ago, so that connections are refused.
    static func refusedPort() throws -> UInt16 {
        let (listener, port) = try listen()
        close(listener)
        return port
    }

    /// - Returns: Whether the peer received everything.
    static func send(_ bytes: [UInt8], to socket: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
