import CommandLineArguments

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Lines for whoever reads a command's result: written at once, also into a pipe, where `print` would keep them back.
enum StandardOutput {
    /// Writes a line.
    ///
    /// - Parameter line: Without its end.
    static func write(_ line: String) {
        write(Array(line.utf8))
    }

    /// Writes a line that is UTF-8 already.
    ///
    /// - Parameter line: Without its end.
    static func write(_ line: [UInt8]) {
        DescriptorOutput.write(line: line, to: STDOUT_FILENO)
    }
}

/// Lines for the person who watches: notes, progress, what went wrong with one record of many.
enum StandardError {
    /// Writes a line.
    ///
    /// - Parameter line: Without its end.
    static func write(_ line: String) {
        DescriptorOutput.write(line: Array(line.utf8), to: STDERR_FILENO)
    }
}
