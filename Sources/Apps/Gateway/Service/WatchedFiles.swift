import NewsflashBasics
import NewsflashObservability
import NewsflashTimestamps

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A value read from files, and read again when one of them changes.
///
/// The files are checked when the value is requested, at most once a second, so no signal is needed. While they cannot be read,
/// the last value is used, each check tries again, and each new fault is logged once.
final class WatchedFiles<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        /// The states of the files that ``value`` was read from.
        var files: [FileState?]
        var lookedAt: Instant
        var fault: String?
    }

    /// The minimum interval between two checks of the files.
    private static var interval: Duration { .seconds(1) }

    private let name: String
    private let paths: [String]
    private let logger: Logger
    private let read: @Sendable (Value?) throws(WatchedFilesError) -> Value
    private let state: Locked<State>

    /// Reads the files.
    ///
    /// - Parameters:
    ///   - name: The name for the log, for example `users`.
    ///   - paths: The paths of the files; links are followed at each check.
    ///   - logger: Logs when the value has changed, and when the files can no longer be read.
    ///   - read: Reads all files; receives the previous value.
    /// - Throws: The error of `read`.
    init(
        _ name: String,
        _ paths: [String],
        logger: Logger,
        read: @escaping @Sendable (Value?) throws(WatchedFilesError) -> Value
    ) throws(WatchedFilesError) {
        // Before the files are read, so that a change in between is noticed by the next check.
        let files = paths.map { FileState.present(of: $0) }
        let value = try read(nil)
        self.name = name
        self.paths = paths
        self.logger = logger
        self.read = read
        state = Locked(State(value: value, files: files, lookedAt: .now, fault: nil))
    }

    /// Holds a constant value without files.
    init(_ value: Value, logger: Logger) {
        name = ""
        paths = []
        self.logger = logger
        read = { _ throws(WatchedFilesError) in value }
        state = Locked(State(value: value, files: [], lookedAt: .now, fault: nil))
    }

    /// Returns the value, after a check of the files if the last one was at least a second ago.
    ///
    /// - Returns: The value that was read last.
    func value(now: Instant) -> Value {
        if state.withLock({ state in
            guard now - state.lookedAt >= Self.interval else { return false }
            state.lookedAt = now
            return true
        }) {
            check()
        }
        return state.withLock { $0.value }
    }

    /// Returns the current fault of the files; `nil` if the files are readable.
    ///
    /// - Returns: The file, the fault and the remedy.
    func fault(now: Instant) -> String? {
        _ = value(now: now)
        return state.withLock { $0.fault }
    }

    /// Checks the files at once.
    func check() {
        let present = paths.map { FileState.present(of: $0) }
        let (known, value) = state.withLock { ($0.files, $0.value) }
        guard present != known else {
            state.withLock { $0.fault = nil }
            return
        }
        do throws(WatchedFilesError) {
            let value = try read(value)
            state.withLock { state in
                state.value = value
                state.files = present
                state.fault = nil
            }
            logger.notice("files were read again", metadata: ["files": .string(name)])
        } catch {
            let isNew = state.withLock { state in
                defer { state.fault = error.description }
                return state.fault != error.description
            }
            guard isNew else { return }
            logger.error(
                "files cannot be read; their previous content stays in force",
                metadata: ["files": .string(name), "detail": .string(error.description)]
            )
        }
    }
}

/// A fault of watched files: names the file and the remedy, and contains nothing of its content.
struct WatchedFilesError: Error, Sendable, Equatable, CustomStringConvertible {
    let description: String
}

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
