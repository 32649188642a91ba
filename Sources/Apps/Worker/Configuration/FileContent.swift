#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Reads small files whole: configurations and secrets.
enum FileContent {
    /// Reads a file.
    ///
    /// - Parameter path: A path, absolute or relative to the working directory.
    /// - Returns: All its bytes.
    /// - Throws: ``UnreadableFile``, which distinguishes a missing file from missing permission.
    static func read(_ path: String) throws(UnreadableFile) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw UnreadableFile(path) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let count = buffer.withUnsafeMutableBytes { systemRead(descriptor, $0) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw UnreadableFile(path) }
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
    }

    /// Returns whether a file is writable by its group or by others, or readable by others.
    ///
    /// - Parameters:
    ///   - path: The path of the file. A missing file is not open.
    ///   - toReaders: Whether read permission counts.
    /// - Returns: Whether the file is open.
    static func isOpen(_ path: String, toReaders: Bool) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        return status.st_mode & (S_IWOTH | S_IWGRP | (toReaders ? S_IROTH : 0)) != 0
    }

    /// Reads a file that contains a single word, such as a password.
    ///
    /// - Returns: The text without surrounding white space, and without the byte order mark that some editors write.
    /// - Throws: ``UnreadableFile``.
    static func word(_ path: String) throws(UnreadableFile) -> String {
        let bytes = try read(path)
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        return String(decoding: text, as: UTF8.self).trimmingWhiteSpace
    }
}

/// Why a file cannot be read.
struct UnreadableFile: Error, Sendable, Equatable, CustomStringConvertible {
    /// The error code of the operating system (`errno`).
    let code: Int32
    /// The working directory if the path is relative to it; otherwise `nil`.
    let folder: String?

    init(code: Int32, folder: String? = nil) {
        self.code = code
        self.folder = folder
    }

    /// Makes the error for the latest failure of the operating system.
    fileprivate init(_ path: String) {
        let code = errno
        let folder = path.hasPrefix("/") ? nil : getcwd(nil, 0)
        defer { free(folder) }
        self.init(code: code, folder: folder.map { String(cString: $0) })
    }

    /// The reason and what to check, without the file's name.
    var description: String {
        switch code {
        case ENOENT: "there is no such file\(folder.map { " in \($0)" } ?? ""); check the path"
        case EACCES: "permission denied; allow the user \(getuid()) to read the file and to enter the folders above it"
        case EISDIR: "it is a folder"
        default: String(cString: strerror(code))
        }
    }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}
