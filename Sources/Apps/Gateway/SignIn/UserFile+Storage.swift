package import Signing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What tells one state of a file from another.
struct FileState: Sendable, Equatable {
    private let device: UInt64
    private let number: UInt64
    private let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    fileprivate init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
        size = Int64(status.st_size)
        #if canImport(Glibc)
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
        #else
        seconds = status.st_mtimespec.tv_sec
        nanoseconds = status.st_mtimespec.tv_nsec
        #endif
    }

    /// The present state of a file; nothing where there is none. Quick: nothing of it is read.
    static func present(of path: String) -> FileState? {
        var status = stat()
        return stat(path, &status) == 0 ? FileState(status) : nil
    }
}

extension UserFile {
    /// Reads a file from the disk.
    ///
    /// One that everybody on the machine may read is refused. The group may: so secrets are mounted into containers.
    ///
    /// - Parameter path: Of the file.
    /// - Returns: The users, and the state of the file that they were read from.
    /// - Throws: ``UserFileError``.
    static func read(_ path: String) throws(UserFileError) -> (users: UserFile, state: FileState) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw UserFileError(errno == ENOENT ? "there is no such file" : reason(errno))
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw UserFileError(reason(errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw UserFileError("it is no regular file") }
        guard status.st_mode & (S_IROTH | S_IWOTH | S_IWGRP) == 0 else {
            throw UserFileError("others may read or write it, and it holds hashes of passwords: 'chmod 600' it")
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
        return (try UserFile(bytes), FileState(status))
    }

    /// Adds a user to a file, or gives one another password; the file is made where there is none.
    ///
    /// It is written beside itself and then moved, so that whoever reads it sees the old or the new one, whole. Only its
    /// owner may read it.
    ///
    /// - Parameters:
    ///   - user: The user's name.
    ///   - hash: Of the password.
    ///   - path: Of the file.
    /// - Returns: Whether the user is new.
    /// - Throws: ``UserFileError``.
    package static func set(
        _ user: GatewayUser,
        _ hash: PasswordHash,
        in path: String
    ) throws(UserFileError) -> Bool {
        // One at a time, or a user could be lost between reading and writing. The folder is what is locked: the file itself
        // is another one afterwards.
        let lock = open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard lock >= 0 else { throw UserFileError(reason(errno)) }
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0 {
            guard errno == EINTR else { throw UserFileError(reason(errno)) }
        }
        var file = UserFile()
        if FileState.present(of: path) != nil { file = try read(path).users }
        let isNew = file.hashes[user.name] == nil
        try file.set(user, hash)
        try write(file.bytes, to: path)
        return isNew
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(UserFileError) {
        var name = Array((path + ".XXXXXX").utf8CString)
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw UserFileError(reason(errno)) }
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { writeBytes(descriptor, $0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            sent += count
        }
        let isWritten = sent == bytes.count && fchmod(descriptor, 0o600) == 0 && fsync(descriptor) == 0
        guard close(descriptor) == 0, isWritten, rename(name, path) == 0 else {
            let error = UserFileError(reason(errno))
            unlink(name)
            throw error
        }
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
