package import Signing
package import StructuredLog
package import Timestamps

/// The users of a file, read again when it changes.
///
/// While the file cannot be read, the previous users are used and the fault is logged.
package final class UserDirectory: Sendable {
    private struct Users: Sendable {
        var file: UserFile
        /// The hash for unknown names, so that they take as long as known ones.
        var decoy: PasswordHash
    }

    private let users: WatchedFiles<Users>

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - logger: Logs when the file was read again, or can no longer be read.
    /// - Throws: ``UserFileError``, with the path of the file.
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

    /// Creates a directory of constant users without a file.
    ///
    /// - Parameter users: The users with their hashes.
    /// - Throws: ``UserFileError`` if there is not enough memory for a hash.
    package init(_ users: UserFile) throws(UserFileError) {
        self.users = WatchedFiles(
            Users(file: users, decoy: try Self.decoy(for: users, instead: nil)),
            logger: Logger(label: "users", level: .error, handler: TextLogHandler())
        )
    }

    /// The current fault of the file; `nil` if the file is readable.
    var fault: String? { users.fault(now: .now) }

    /// Checks the file at once.
    func look() { users.look() }

    /// Returns the names of all users.
    ///
    /// - Parameter now: The current instant.
    /// - Returns: The names, in lower case.
    func names(now: Instant) -> Set<String> {
        Set(users.value(now: now).file.hashes.keys)
    }

    /// Whether a user has this name.
    func has(_ name: String) -> Bool { hash(of: name, now: .now).isUser }

    /// Returns a user's hash.
    ///
    /// - Parameters:
    ///   - name: The name, in lower case.
    ///   - now: The current instant.
    /// - Returns: The hash; for an unknown name a hash that no password matches and that takes as long.
    package func hash(of name: String, now: Instant) -> (hash: PasswordHash, isUser: Bool) {
        let users = users.value(now: now)
        return users.file.hashes[name].map { ($0, true) } ?? (users.decoy, false)
    }

    /// Returns a hash of a random password, as slow as the slowest of the users' hashes.
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
