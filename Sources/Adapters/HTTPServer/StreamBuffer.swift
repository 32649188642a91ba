/// The bytes of a stream that wait for a client, with limits for more.
struct StreamBuffer {
    /// A stream is read only while fewer bytes than this are waiting.
    static let highWater = 64 * 1024
    /// After a pause, a stream is read again when at most this many bytes are waiting.
    static let lowWater = 16 * 1024

    /// Sent bytes stay before the waiting ones until they are dropped.
    private(set) var bytes: [UInt8] = []
    private var sent = 0

    /// The number of waiting bytes.
    var count: Int { bytes.count - sent }

    /// Adds bytes at the end.
    mutating func append(_ piece: [UInt8]) {
        if bytes.isEmpty { bytes = piece } else { bytes += piece }
    }

    /// Removes the first bytes and copies them to a buffer.
    ///
    /// - Parameter buffer: The destination, at most ``count`` bytes long.
    mutating func removeFirst(into buffer: UnsafeMutableRawBufferPointer) {
        bytes.withUnsafeBytes { bytes in buffer.copyBytes(from: bytes[sent..<sent + buffer.count]) }
        sent += buffer.count
        if sent == bytes.count {
            removeAll()
        } else if sent >= Self.highWater, sent >= bytes.count / 2 {
            // At most as many bytes are moved as were sent since the last time, so the total time grows only linearly with the
            // stream.
            bytes.removeFirst(sent)
            sent = 0
        }
    }

    /// Discards everything.
    mutating func removeAll() {
        bytes = []
        sent = 0
    }
}
