import Locks
import StructuredLog
import Timestamps

/// A value that was read from files, and is read again when one of them changes.
///
/// The files are looked at once a second at most, when the value is asked for, so no signal is needed. While they cannot be read
/// the value stays as it was, each look tries again, and the log names the fault once.
final class WatchedFiles<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        /// The states of the files that ``value`` was read from.
        var files: [FileState?]
        var lookedAt: Instant
        var fault: String?
    }

    /// Between two looks at the files.
    private static var interval: Duration { .seconds(1) }

    private let name: String
    private let paths: [String]
    private let logger: Logger
    private let read: @Sendable (Value?) throws(WatchedFilesError) -> Value
    private let state: Locked<State>

    /// Reads the files.
    ///
    /// - Parameters:
    ///   - name: For the log, such as `users`.
    ///   - paths: Of the files; one that is a link is followed at each look.
    ///   - logger: Gets a line when the value has changed, and when the files can no longer be read.
    ///   - read: Reads all files; gets the value before.
    /// - Throws: The error of `read`.
    init(
        _ name: String,
        _ paths: [String],
        logger: Logger,
        read: @escaping @Sendable (Value?) throws(WatchedFilesError) -> Value
    ) throws(WatchedFilesError) {
        // Before the files are read: a change in between is seen at the next look.
        let files = paths.map { FileState.present(of: $0) }
        let value = try read(nil)
        self.name = name
        self.paths = paths
        self.logger = logger
        self.read = read
        state = Locked(State(value: value, files: files, lookedAt: .now, fault: nil))
    }

    /// Keeps a value that is in no file.
    init(_ value: Value, logger: Logger) {
        name = ""
        paths = []
        self.logger = logger
        read = { _ throws(WatchedFilesError) in value }
        state = Locked(State(value: value, files: [], lookedAt: .now, fault: nil))
    }

    /// Returns the value, after a look at the files if the last one is a second ago.
    ///
    /// - Parameter now: The instant of the call.
    /// - Returns: The value that was read last.
    func value(now: Instant) -> Value {
        if state.withLock({ state in
            guard now - state.lookedAt >= Self.interval else { return false }
            state.lookedAt = now
            return true
        }) {
            look()
        }
        return state.withLock { $0.value }
    }

    /// Why the files cannot be read at present; `nil` if all is well.
    ///
    /// - Parameter now: The instant of the call.
    /// - Returns: The file, the fault and the remedy.
    func fault(now: Instant) -> String? {
        _ = value(now: now)
        return state.withLock { $0.fault }
    }

    /// Looks at the files at once.
    func look() {
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
                "files cannot be read; what was read before stays in force",
                metadata: ["files": .string(name), "detail": .string(error.description)]
            )
        }
    }
}

/// Why watched files cannot be used: names the file and the remedy, and holds nothing of its content.
struct WatchedFilesError: Error, Sendable, Equatable, CustomStringConvertible {
    let description: String
}
