/// The bytes of a stream that wait for a client, and the room that there is for more.
struct StreamBuffer {
    /// A stream is asked for more only while less than this is waiting.
    static let highWater = 64 * 1024
    /// Where it had to wait, it is asked again once no more than this is waiting.
    static let lowWater = 16 * 1024

    /// What was sent lies before what is waiting, until it is dropped.
    private(set) var bytes: [UInt8] = []
    private var sent = 0

    /// How many bytes are waiting.
    var count: Int { bytes.count - sent }

    /// Adds bytes behind the others.
    mutating func append(_ piece: [UInt8]) {
        if bytes.isEmpty { bytes = piece } else { bytes += piece }
    }

    /// Copies the first bytes to a place, and drops them.
    ///
    /// - Parameter buffer: At most ``count`` bytes long.
    mutating func take(into buffer: UnsafeMutableRawBufferPointer) {
        bytes.withUnsafeBytes { bytes in buffer.copyBytes(from: bytes[sent..<sent + buffer.count]) }
        sent += buffer.count
        if sent == bytes.count {
            removeAll()
        } else if sent >= Self.highWater, sent >= bytes.count / 2 {
            // Never more is moved than was sent since the last time, so that all of it takes a time that grows with the
            // stream only.
            bytes.removeFirst(sent)
            sent = 0
        }
    }

    /// Drops everything.
    mutating func removeAll() {
        bytes = []
        sent = 0
    }
}
