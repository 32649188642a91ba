/// The loops around write(2), apart from the system.
enum LineWrite {
    /// What one call came to.
    enum Attempt {
        /// So many bytes were taken.
        case wrote(Int)
        /// A signal came first (EINTR).
        case interrupted
        /// There is no room now (EAGAIN).
        case full
        /// Nothing can be written.
        case failed
    }

    /// What a pipe takes at once or not at all (PIPE_BUF), so that lines of another process do not fall into ours.
    private static let atOnce = 4096

    /// Writes lines, as many in one call as a pipe takes whole.
    ///
    /// - Parameters:
    ///   - bytes: Lines with their ends.
    ///   - isTorn: Whether the line before lacks its end.
    ///   - write: One call.
    ///   - wait: Waits for room; false where none came.
    /// - Returns: How many lines could not be written.
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
            // An end of line was missing before and is there as soon as one byte was written.
            if written > 0 { isTorn = written < prefix.count + piece.count }
            lost += piece.dropFirst(max(0, written - prefix.count)).count { $0 == newline }
        }
        return lost
    }

    /// Writes until all is written or no more can be.
    ///
    /// - Parameters:
    ///   - bytes: What to write.
    ///   - write: One call.
    ///   - wait: Waits for room; false where none came.
    /// - Returns: The bytes written.
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

    /// The end of as many lines as fit at once, or of the first where it alone does not.
    private static func endOfPiece(_ bytes: ArraySlice<UInt8>) -> Int {
        if bytes.count <= atOnce { return bytes.endIndex }
        let limit = bytes.startIndex + atOnce
        if let last = bytes[..<limit].lastIndex(of: newline) { return last + 1 }
        return bytes[limit...].firstIndex(of: newline).map { $0 + 1 } ?? bytes.endIndex
    }
}
