package import NewsflashObservability
package import NewsflashSigning
package import NewsflashTimestamps

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The users of a gateway: one line each with name and hash, `anna:$scrypt$…`; lines that begin with `#` are comments.
package struct UserFile: Sendable, Equatable {
    /// The maximum size of a file in bytes.
    package static let maximumBytes = 16 << 20

    /// The hashes by name, in lower case.
    package private(set) var hashes: [String: PasswordHash] = [:]

    /// Creates a file without users.
    package init() {}

    /// Parses the content of a file.
    ///
    /// - Throws: ``UserFileError`` with the number of the first invalid line; it contains no hash.
    package init(_ bytes: [UInt8]) throws(UserFileError) {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw UserFileError("it is not UTF-8") }
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.last == "\r" ? line.dropLast() : line
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            guard let colon = line.firstIndex(of: ":"), let user = GatewayUser(String(line[..<colon])) else {
                throw UserFileError("line \(index + 1) does not begin with a user's name and a colon")
            }
            guard let hash = PasswordHash(line[line.index(after: colon)...]) else {
                throw UserFileError("line \(index + 1) has no valid hash: set the password again")
            }
            // Names ignore case.
            guard hashes.updateValue(hash, forKey: user.name) == nil else {
                throw UserFileError("line \(index + 1) repeats the name of another line; names ignore case")
            }
        }
    }

    /// Adds, changes or removes a user.
    ///
    /// - Parameters:
    ///   - user: The user's name.
    ///   - hash: The hash of the password; `nil` removes the user.
    package mutating func set(_ user: GatewayUser, _ hash: PasswordHash?) {
        hashes[user.name] = hash
    }

    /// The content, sorted by name.
    package var bytes: [UInt8] {
        var text = "# Users of 'newsflash gateway': a name and the hash of a password. Let nobody else read it.\n"
        for (name, hash) in hashes.sorted(by: { $0.key < $1.key }) { text += "\(name):\(hash.text)\n" }
        return Array(text.utf8)
    }
}

/// The reason why a users file cannot be used.
package struct UserFileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The fault and the remedy; contains neither the path nor a hash.
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension UserFile {
    /// Reads a file.
    ///
    /// A file that others on the machine may read is refused. The group may read it, because secrets are mounted into
    /// containers in
    /// this way.
    ///
    /// - Returns: The users.
    /// - Throws: ``UserFileError``.
    package static func read(_ path: String) throws(UserFileError) -> UserFile {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw UserFileError(errno == ENOENT ? "there is no such file" : reason(errno))
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw UserFileError(reason(errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw UserFileError("it is not a regular file") }
        guard status.st_mode & (S_IROTH | S_IWOTH | S_IWGRP) == 0 else {
            throw UserFileError("others can read or write it, and it contains password hashes: run 'chmod 600' on it")
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = buffer.withUnsafeMutableBytes { readBytes(descriptor, $0) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw UserFileError(reason(errno)) }
            guard count > 0 else { break }
            bytes += buffer[..<count]
            guard bytes.count <= maximumBytes else { throw UserFileError("it is larger than \(maximumBytes) bytes") }
        }
        return try UserFile(bytes)
    }

    /// Adds a user to a file, changes a user's password, or removes a user. Creates the file if it is missing.
    ///
    /// The new content is written to a temporary file and then moved, so that a reader sees either the old or the new file.
    /// Owner,
    /// group and mode are kept; a new file is readable only by its owner. If the path is a link, its target is replaced.
    ///
    /// - Parameters:
    ///   - user: The user's name.
    ///   - hash: The hash of the password; `nil` removes the user.
    ///   - path: The path of the file.
    /// - Returns: Whether the user existed.
    /// - Throws: ``UserFileError``; the file is unchanged then.
    package static func set(
        _ user: GatewayUser,
        _ hash: PasswordHash?,
        in path: String
    ) throws(UserFileError) -> Bool {
        let path = try target(of: path)
        // The lock prevents concurrent changes from losing a user. It is on the folder, because the file itself is replaced.
        let lock = open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard lock >= 0 else { throw UserFileError(reason(errno)) }
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0 {
            guard errno == EINTR else { throw UserFileError(reason(errno)) }
        }
        var status = stat()
        let exists = stat(path, &status) == 0
        var file = UserFile()
        if exists { file = try read(path) }
        let wasThere = file.hashes[user.name] != nil
        guard wasThere || hash != nil else { return false }
        file.set(user, hash)
        try write(file.bytes, to: path, like: exists ? status : nil)
        return wasThere
    }

    /// Resolves links; returns the path itself if the file does not exist yet.
    private static func target(of path: String) throws(UserFileError) -> String {
        if let real = realpath(path, nil) {
            defer { free(real) }
            return String(cString: real)
        }
        guard errno == ENOENT else { throw UserFileError(reason(errno)) }
        var status = stat()
        guard lstat(path, &status) != 0 else { throw UserFileError("it is a link to a missing file") }
        return path
    }

    private static func write(_ bytes: [UInt8], to path: String, like before: stat?) throws(UserFileError) {
        var name = Array((path + ".XXXXXX").utf8CString)
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw UserFileError(reason(errno)) }
        var error: UserFileError?
        do throws(UserFileError) {
            try fill(descriptor, bytes, like: before)
        } catch let fault {
            error = fault
        }
        let isClosed = close(descriptor) == 0
        if error == nil, isClosed, rename(name, path) == 0 { return }
        let fault = error ?? UserFileError(reason(errno))
        unlink(name)
        throw fault
    }

    /// Writes all bytes to a new file and gives it the owner, group and mode of the previous file.
    private static func fill(_ descriptor: Int32, _ bytes: [UInt8], like before: stat?) throws(UserFileError) {
        if let before, before.st_uid != getuid() || before.st_gid != getgid() {
            // Before a byte is written, so that the wrong group can never read the file.
            guard fchown(descriptor, before.st_uid, before.st_gid) == 0 else {
                throw UserFileError(
                    "its owner \(before.st_uid) and group \(before.st_gid) cannot be kept: run this as its owner or as root"
                )
            }
        }
        guard fchmod(descriptor, before.map { $0.st_mode & 0o7777 } ?? 0o600) == 0 else {
            throw UserFileError(reason(errno))
        }
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { writeBytes(descriptor, $0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw UserFileError(reason(errno)) }
            sent += count
        }
        guard fsync(descriptor) == 0 else { throw UserFileError(reason(errno)) }
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func reason(_ code: Int32) -> String {
        String(cString: strerror(code))
    }
}

private func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}

private func writeBytes(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
    write(descriptor, buffer.baseAddress, buffer.count)
}

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
    func check() { users.check() }

    /// Returns the names of all users.
    ///
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
