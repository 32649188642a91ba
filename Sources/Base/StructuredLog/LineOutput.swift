import Locks

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Writes whole lines to a file descriptor.
///
/// The lock is held over the write, unlike elsewhere: a pipe takes only 4 KiB at once for sure, and a longer line must
/// not be mixed with another. A reader that stands still therefore holds up whoever logs, as with any blocking
/// descriptor; where the descriptor does not block, until a second passes without room, and then the rest of the line is lost.
final class LineOutput: Sendable {
    private let fileDescriptor: Int32
    private let patience: Int32
    private let isTorn = Locked(false)

    /// Waits at most so many milliseconds for room, each time that there is none.
    init(fileDescriptor: Int32, patience: Int32 = 1000) {
        self.fileDescriptor = fileDescriptor
        self.patience = patience
    }

    /// Writes a line that has its end.
    func write(_ line: [UInt8]) {
        isTorn.withLock { isTorn in
            let whole = isTorn ? [UInt8(ascii: "\n")] + line : line
            let written = LineWrite.all(whole, write: attempt, wait: waitForRoom)
            // An end of line was missing before and is there as soon as one byte was written.
            if written > 0 { isTorn = written < whole.count }
        }
    }

    private func attempt(_ bytes: ArraySlice<UInt8>) -> LineWrite.Attempt {
        let count = unsafe bytes.withUnsafeBytes { buffer in
            #if canImport(Glibc)
            unsafe Glibc.write(fileDescriptor, buffer.baseAddress, buffer.count)
            #else
            unsafe Darwin.write(fileDescriptor, buffer.baseAddress, buffer.count)
            #endif
        }
        guard count < 0 else { return .wrote(count) }
        switch errno {
        case EINTR: return .interrupted
        case EAGAIN: return .full
        default: return .failed
        }
    }

    private func waitForRoom() -> Bool {
        var descriptor = pollfd(fd: fileDescriptor, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&descriptor, 1, patience) > 0
    }
}

/// The loop around write(2), apart from the system.
enum LineWrite {
    /// What one call came to.
    enum Attempt {
        /// So many bytes were taken.
        case wrote(Int)
        /// A signal came first (EINTR).
        case interrupted
        /// There is no room now (EAGAIN).
        case full
        /// Nothing can be written.
        case failed
    }

    /// Writes until all is written or no more can be.
    ///
    /// - Parameters:
    ///   - bytes: What to write.
    ///   - write: One call.
    ///   - wait: Waits for room; false where none came.
    /// - Returns: The bytes written.
    static func all(_ bytes: [UInt8], write: (ArraySlice<UInt8>) -> Attempt, wait: () -> Bool) -> Int {
        var written = 0
        while written < bytes.count {
            switch write(bytes[written...]) {
            case .wrote(let count) where count > 0: written += count
            case .interrupted: continue
            case .full where wait(): continue
            case .wrote, .full, .failed: return written
            }
        }
        return written
    }
}
