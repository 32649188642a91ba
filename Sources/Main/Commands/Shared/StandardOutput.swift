import CommandLineArguments

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Writes the results of a command. Lines are written at once, also into a pipe, where `print` would buffer them.
package enum StandardOutput {
    /// Writes a line.
    ///
    /// - Parameter line: The line without its line end.
    package static func write(_ line: String) {
        write(Array(line.utf8))
    }

    /// Writes a line of UTF-8.
    ///
    /// - Parameter line: The line without its line end.
    static func write(_ line: [UInt8]) {
        DescriptorOutput.write(line: line, to: STDOUT_FILENO)
    }
}

/// Writes notes, progress and errors of single records.
package enum StandardError {
    /// Writes a line.
    ///
    /// - Parameter line: The line without its line end.
    package static func write(_ line: String) {
        DescriptorOutput.write(line: Array(line.utf8), to: STDERR_FILENO)
    }
}
