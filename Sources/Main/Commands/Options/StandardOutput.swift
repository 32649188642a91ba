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
        LineWriting.write(line, to: STDOUT_FILENO)
    }
}

/// Lines for the person who watches: notes, progress, what went wrong with one record of many.
enum StandardError {
    /// Writes a line.
    ///
    /// - Parameter line: Without its end.
    static func write(_ line: String) {
        LineWriting.write(Array(line.utf8), to: STDERR_FILENO)
    }
}

private enum LineWriting {
    static func write(_ line: [UInt8], to descriptor: Int32) {
        var rest = (line + [UInt8(ascii: "\n")])[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0) }
            if count < 0, errno == EINTR { continue }
            // Nobody reads any more; there is nowhere left to say so.
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private static func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
        Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #else
        Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }
}
