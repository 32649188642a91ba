import StrictJSON

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The value of one record, and where it stands.
struct FileRecord: Sendable, Equatable {
    /// The file as it was named; `-` for the standard input.
    var file: String
    /// The line, from 1; `nil` where the whole file is one record.
    var line: Int?
    /// Without the end of the line.
    var bytes: [UInt8]

    /// Such as `events.ndjson:3`.
    var place: String { line.map { "\(file):\($0)" } ?? file }
}

/// Reads records from files.
///
/// A file whose name ends in `.ndjson` or `.jsonl` has a record a line, split at line feeds alone, blank lines left out.
/// Any other file is one record, byte for byte. The standard input is one record where it is one JSON text, and a record
/// a line otherwise.
enum EventFiles {
    /// The sentence for help texts.
    static let help = """
        A file that ends in .ndjson has one event a line; any other is one event, byte for byte. '-' is the standard
        input: one event, or one a line.
        """

    /// Reads files.
    ///
    /// - Parameter names: Paths; `-` for the standard input.
    /// - Returns: The records in the order of the names.
    /// - Throws: ``CommandError`` that names a file that cannot be read.
    static func read(_ names: [String]) throws(CommandError) -> [FileRecord] {
        var records: [FileRecord] = []
        for name in names {
            records += split(try content(of: name), of: name)
        }
        return records
    }

    /// Reads a file to its end, also a pipe, which has no size to ask for.
    ///
    /// - Parameter name: Its path; `-` for the standard input.
    /// - Returns: All bytes.
    /// - Throws: ``CommandError`` that names a file that cannot be read.
    static func content(of name: String) throws(CommandError) -> [UInt8] {
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

    private static func unreadable(_ name: String) -> CommandError {
        let reason = String(cString: strerror(errno))
        return CommandError(.badData, "\(name == "-" ? "the standard input" : name) cannot be read: \(reason)")
    }

    /// Finds the records in what was read.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - name: The file's name, which decides; `-` for the standard input.
    /// - Returns: The records in order.
    static func split(_ bytes: [UInt8], of name: String) -> [FileRecord] {
        let hasLines =
            name == "-"
            ? (try? JSONReader.read(bytes)) == nil
            : name.hasSuffix(".ndjson") || name.hasSuffix(".jsonl")
        return hasLines ? lines(of: bytes, named: name) : [FileRecord(file: name, bytes: bytes)]
    }

    /// Splits what was read at line feeds alone, without blank lines.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - name: The file's name.
    /// - Returns: The records in order.
    static func lines(of bytes: [UInt8], named name: String) -> [FileRecord] {
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
