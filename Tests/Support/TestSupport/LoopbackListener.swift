#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A socket that listens on a free port of loopback. The system accepts connections even if nobody calls
/// ``acceptConnection()``.
package struct LoopbackListener: Sendable {
    /// The number of the system's error.
    package struct Failure: Error {
        let number: Int32
    }

    private let descriptor: Int32
    package let port: UInt16

    package init() throws {
        #if canImport(Glibc)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && listen(descriptor, 128) == 0
                    ? getsockname(descriptor, pointer, &length) : -1
            }
        }
        guard status == 0 else { throw Failure(number: errno) }
        self.descriptor = descriptor
        port = UInt16(bigEndian: address.sin_port)
    }

    /// Whether a connection is waiting for ``acceptConnection()``.
    package var hasConnection: Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, 0) == 1
    }

    /// Waits for a connection and accepts it.
    ///
    /// - Returns: Its descriptor, which the caller closes; `nil` after ``shutDown()``.
    package func acceptConnection() -> Int32? {
        let connection = accept(descriptor, nil, nil)
        return connection < 0 ? nil : connection
    }

    /// Stops accepting connections, and ends ``acceptConnection()`` on other threads.
    package func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Closes the socket; not while another thread is in ``acceptConnection()``.
    package func close() {
        #if canImport(Glibc)
        _ = Glibc.close(descriptor)
        #else
        _ = Darwin.close(descriptor)
        #endif
    }
}
