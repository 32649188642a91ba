import NewsflashStrictJSON

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The value of one record, and its place in a file.
package struct FileRecord: Sendable, Equatable {
    /// The file as given; `-` for the standard input.
    package var file: String
    /// The line number from 1; `nil` if the whole file is one record.
    package var line: Int?
    /// The value, without the end of the line.
    package var bytes: [UInt8]

    package init(file: String, line: Int? = nil, bytes: [UInt8]) {
        self.file = file
        self.line = line
        self.bytes = bytes
    }

    /// The place for messages, such as `events.ndjson:3`.
    package var place: String { line.map { "\(file):\($0)" } ?? file }
}

/// Reads records from files.
///
/// A file whose name ends in `.ndjson` or `.jsonl` has one record a line. It is split only at line feeds, and blank lines are
/// skipped. Any other file is one record, byte for byte. The standard input is one record if it is one JSON text; otherwise
/// it has one record a line.
package enum EventFiles {
    /// The sentence for help texts.
    package static let help = """
        A file that ends in .ndjson has one event a line; any other is one event, byte for byte. '-' is the standard
        input: one event, or one a line.
        """

    /// Reads files.
    ///
    /// - Parameter names: The paths; `-` for the standard input.
    /// - Returns: The records in the order of the names.
    /// - Throws: ``OperationError`` with the name of the file if it cannot be read.
    package static func read(_ names: [String]) throws(OperationError) -> [FileRecord] {
        var records: [FileRecord] = []
        for name in names {
            records += split(try content(of: name), of: name)
        }
        return records
    }

    /// Reads a file to its end. Also works for pipes, whose size is not known.
    ///
    /// - Parameter name: The path; `-` for the standard input.
    /// - Returns: All bytes.
    /// - Throws: ``OperationError`` with the name of the file if it cannot be read.
    package static func content(of name: String) throws(OperationError) -> [UInt8] {
        let descriptor = name == "-" ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(name) }
        defer { if name != "-" { close(descriptor) } }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = buffer.withUnsafeMutableBytes { systemRead(descriptor, $0) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(name) }
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
    }

    private static func unreadable(_ name: String) -> OperationError {
        let reason = String(cString: strerror(errno))
        return OperationError(.badData, "\(name == "-" ? "the standard input" : name) cannot be read: \(reason)")
    }

    /// Splits the content of a file into records.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - name: The file's name, whose extension decides; `-` for the standard input.
    /// - Returns: The records in order.
    package static func split(_ bytes: [UInt8], of name: String) -> [FileRecord] {
        let hasLines =
            name == "-"
            ? (try? JSONReader.read(bytes)) == nil
            : name.hasSuffix(".ndjson") || name.hasSuffix(".jsonl")
        return hasLines ? lines(of: bytes, named: name) : [FileRecord(file: name, bytes: bytes)]
    }

    /// Splits the content only at line feeds, and skips blank lines.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - name: The file's name.
    /// - Returns: The records in order.
    package static func lines(of bytes: [UInt8], named name: String) -> [FileRecord] {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.enumerated().compactMap { index, line in
            let isBlank = line.allSatisfy { $0 == UInt8(ascii: " ") || $0 == 0x09 || $0 == 0x0D }
            return isBlank ? nil : FileRecord(file: name, line: index + 1, bytes: Array(line))
        }
    }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}
