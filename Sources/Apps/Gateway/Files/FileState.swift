#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The state of a file for comparisons: size, times, owner and mode, but not its content.
struct FileState: Sendable, Equatable {
    private let device: UInt64
    private let number: UInt64
    private let size: Int64
    private let mode: UInt32
    private let modified: Time
    /// Also changes with owner and mode.
    private let changed: Time

    private struct Time: Sendable, Equatable {
        var seconds: Int
        var nanoseconds: Int

        init(_ time: timespec) {
            seconds = time.tv_sec
            nanoseconds = time.tv_nsec
        }
    }

    init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
        size = Int64(status.st_size)
        mode = UInt32(status.st_mode)
        #if canImport(Glibc)
        modified = Time(status.st_mtim)
        changed = Time(status.st_ctim)
        #else
        modified = Time(status.st_mtimespec)
        changed = Time(status.st_ctimespec)
        #endif
    }

    /// Returns the state of a file; `nil` if it is missing. Fast, because the file is not read.
    static func present(of path: String) -> FileState? {
        var status = stat()
        return stat(path, &status) == 0 ? FileState(status) : nil
    }
}
