#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Writes to the process's output without buffering; `print` would buffer lines for a pipe.
package enum DescriptorOutput {
    /// Writes a line. Output that nobody reads any more is discarded.
    ///
    /// - Parameters:
    ///   - line: UTF-8 without a line feed.
    ///   - descriptor: The file descriptor, such as `STDOUT_FILENO`.
    package static func write(line: [UInt8], to descriptor: Int32) {
        var rest = (line + [UInt8(ascii: "\n")])[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe systemWrite(descriptor, $0) }
            if count < 0, errno == EINTR { continue }
            // A non-blocking descriptor is full, because its reader is slow.
            if count < 0, errno == EAGAIN, waitForRoom(in: descriptor) { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

private func waitForRoom(in descriptor: Int32) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    while unsafe poll(&waiting, 1, -1) < 0 {
        guard errno == EINTR else { return false }
    }
    return true
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    unsafe write(descriptor, bytes.baseAddress, bytes.count)
}
