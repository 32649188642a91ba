package import Signing
package import StructuredLog
package import Timestamps

/// The users of a file, read again when it changes.
///
/// While it cannot be read the users stay as they were, and the log has the fault.
package final class UserDirectory: Sendable {
    private struct Users: Sendable {
        var file: UserFile
        /// For names that nobody has, so that they take as long as others.
        var decoy: PasswordHash
    }

    private let users: WatchedFiles<Users>

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: Of the file.
    ///   - logger: Gets a line when the file was read again, or can no longer be read.
    /// - Throws: ``UserFileError``, with the file's name.
    package init(_ path: String, logger: Logger) throws(UserFileError) {
        do throws(WatchedFilesError) {
            users = try WatchedFiles("users", [path], logger: logger) { before throws(WatchedFilesError) in
                do throws(UserFileError) {
                    let file = try UserFile.read(path)
                    return Users(file: file, decoy: try Self.decoy(for: file, instead: before?.decoy))
                } catch {
                    throw WatchedFilesError(description: "\(path) cannot be used: \(error)")
                }
            }
        } catch {
            throw UserFileError(error.description)
        }
    }

    /// Keeps users who are in no file, and stay as they are.
    ///
    /// - Parameter users: With their hashes.
    /// - Throws: ``UserFileError`` if memory for hashes is missing.
    package init(_ users: UserFile) throws(UserFileError) {
        self.users = WatchedFiles(
            Users(file: users, decoy: try Self.decoy(for: users, instead: nil)),
            logger: Logger(label: "users", level: .error, handler: TextLogHandler())
        )
    }

    /// Why the file cannot be read at present; `nil` if all is well.
    var fault: String? { users.fault(now: .now) }

    /// Looks at the file at once.
    func look() { users.look() }

    /// The names of all users.
    ///
    /// - Parameter now: The current instant.
    /// - Returns: The names, in lower case.
    func names(now: Instant) -> Set<String> {
        Set(users.value(now: now).file.hashes.keys)
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
        let users = users.value(now: now)
        return users.file.hashes[name].map { ($0, true) } ?? (users.decoy, false)
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
