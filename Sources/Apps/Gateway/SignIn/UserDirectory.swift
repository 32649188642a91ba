import Locks
package import Signing
package import StructuredLog
package import Timestamps

/// The users of a file, read again when it changes.
///
/// The file is looked at once a second at most, when somebody signs in, so no signal is needed. Where it can no longer be
/// read the users stay as they were, and the log says so.
package final class UserDirectory: Sendable {
    private struct State {
        var users: UserFile
        var file: FileState?
        var lookedAt: Instant
        /// For names that nobody has, so that they take as long as others.
        var decoy: PasswordHash
    }

    /// Between two looks at the file.
    private static let interval = Duration.seconds(1)

    private let path: String
    private let logger: Logger
    private let state: Locked<State>

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: Of the file.
    ///   - logger: Is told when the file can no longer be read.
    /// - Throws: ``UserFileError``, with the file's name.
    package init(_ path: String, logger: Logger) throws(UserFileError) {
        do throws(UserFileError) {
            let (users, file) = try UserFile.read(path)
            let decoy = try Self.decoy(for: users, instead: nil)
            self.path = path
            self.logger = logger
            state = Locked(State(users: users, file: file, lookedAt: .now, decoy: decoy))
        } catch {
            throw UserFileError("\(path) cannot be used: \(error)")
        }
    }

    /// Takes users who are in no file, and stay as they are.
    ///
    /// - Parameter users: With their hashes.
    /// - Throws: ``UserFileError`` where there is no memory for hashes.
    package init(_ users: UserFile) throws(UserFileError) {
        path = ""
        logger = Logger(label: "users", level: .error, handler: TextLogHandler())
        state = Locked(State(users: users, file: nil, lookedAt: .now, decoy: try Self.decoy(for: users, instead: nil)))
    }

    /// How many users there are.
    package var count: Int { state.withLock { $0.users.hashes.count } }

    /// The names of all users.
    ///
    /// - Parameter now: The current instant.
    func names(now: Instant) -> Set<String> {
        reload(now: now)
        return state.withLock { Set($0.users.hashes.keys) }
    }

    /// Whether a user has this name.
    func has(_ name: String) -> Bool { hash(of: name, now: .now).isUser }

    /// A user's hash.
    ///
    /// - Parameters:
    ///   - name: Any text.
    ///   - now: The present.
    /// - Returns: The hash; for a name that nobody has, one that nothing matches and that takes as long.
    package func hash(of name: String, now: Instant) -> (hash: PasswordHash, isUser: Bool) {
        reload(now: now)
        return state.withLock { state in
            state.users.hashes[name].map { ($0, true) } ?? (state.decoy, false)
        }
    }

    private func reload(now: Instant) {
        let known = state.withLock { state -> FileState?? in
            guard now - state.lookedAt >= Self.interval else { return nil }
            state.lookedAt = now
            return .some(state.file)
        }
        guard case .some(let file) = known else { return }
        let present = FileState.present(of: path)
        guard present != file else { return }
        do throws(UserFileError) {
            let (users, file) = try UserFile.read(path)
            let decoy = try Self.decoy(for: users, instead: state.withLock { $0.decoy })
            state.withLock { state in
                state.users = users
                state.file = file
                state.decoy = decoy
            }
            logger.notice("the users were read again", metadata: ["users": LogValue(users.hashes.count)])
        } catch {
            // Told once a change, not once a second.
            state.withLock { $0.file = present }
            logger.error(
                "the file of users cannot be read; the users stay as they were",
                metadata: ["file": .string(path), "detail": .string(error.description)]
            )
        }
    }

    /// A hash of a password that nobody knows, as slow as the slowest of the users'.
    private static func decoy(
        for users: UserFile,
        instead known: PasswordHash?
    ) throws(UserFileError) -> PasswordHash {
        let cost = users.hashes.values.map(\.cost).max { $0.work < $1.work } ?? .standard
        if let known, known.cost == cost { return known }
        var generator = SystemRandomNumberGenerator()
        let password = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        do throws(PasswordHashError) {
            return try PasswordHash(of: password, cost: cost)
        } catch {
            throw UserFileError(error.description)
        }
    }
}
