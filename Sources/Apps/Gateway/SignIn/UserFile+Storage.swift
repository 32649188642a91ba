package import Signing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension UserFile {
    /// Reads a file.
    ///
    /// A file that others on the machine may read is refused. The group may read it, because secrets are mounted into
    /// containers in
    /// this way.
    ///
    /// - Parameter path: The path of the file.
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
