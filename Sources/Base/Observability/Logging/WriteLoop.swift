/// The loops around write(2), independent of the system.
enum WriteLoop {
    /// The result of one call.
    enum Attempt {
        /// The number of bytes written.
        case wrote(Int)
        /// A signal interrupted the call (EINTR).
        case interrupted
        /// The descriptor is full (EAGAIN).
        case full
        /// Writing failed.
        case failed
    }

    /// The number of bytes that a pipe accepts atomically (PIPE_BUF), so that lines of other processes are not mixed into
    /// ours.
    private static let atOnce = 4096

    /// Writes lines, in each call as many as a pipe accepts atomically.
    ///
    /// - Parameters:
    ///   - bytes: Lines including their line feeds.
    ///   - isTorn: Whether the previous line lacks its line feed.
    ///   - write: Performs one call.
    ///   - wait: Waits until the descriptor accepts bytes; returns `false` on failure.
    /// - Returns: The number of lines that could not be written.
    static func lines(
        _ bytes: [UInt8],
        isTorn: inout Bool,
        write: (ArraySlice<UInt8>) -> Attempt,
        wait: () -> Bool
    ) -> Int {
        var lost = 0
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest[..<endOfPiece(rest)]
            rest = rest[piece.endIndex...]
            let prefix = isTorn ? [newline] : []
            let written = all(prefix + piece, write: write, wait: wait)
            // The missing line feed of the previous line is the first byte written.
            if written > 0 { isTorn = written < prefix.count + piece.count }
            lost += piece.dropFirst(max(0, written - prefix.count)).count { $0 == newline }
        }
        return lost
    }

    /// Writes until all bytes are written or writing fails.
    ///
    /// - Parameters:
    ///   - bytes: The bytes to write.
    ///   - write: Performs one call.
    ///   - wait: Waits until the descriptor accepts bytes; returns `false` on failure.
    /// - Returns: The number of bytes written.
    static func all(_ bytes: [UInt8], write: (ArraySlice<UInt8>) -> Attempt, wait: () -> Bool) -> Int {
        var written = 0
        while written < bytes.count {
            switch write(bytes[written...]) {
            case .wrote(let count) where count > 0: written += count
            case .interrupted: continue
            case .full where wait(): continue
            case .wrote, .full, .failed: return written
            }
        }
        return written
    }

    private static let newline = UInt8(ascii: "\n")

    /// Returns the end of as many lines as can be written atomically, or of the first line if it is too long.
    private static func endOfPiece(_ bytes: ArraySlice<UInt8>) -> Int {
        if bytes.count <= atOnce { return bytes.endIndex }
        let limit = bytes.startIndex + atOnce
        if let last = bytes[..<limit].lastIndex(of: newline) { return last + 1 }
        return bytes[limit...].firstIndex(of: newline).map { $0 + 1 } ?? bytes.endIndex
    }
}
