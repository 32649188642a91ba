/// Where compact records lie: segments of bytes in the order of their writing.
///
/// Each record has its owner's number (4 bytes) and its length in front. A record that was given up leaves dead space; a
/// segment with a third of it is written anew, so that at most half as much again as what lives is held. Every step costs a
/// segment at most.
struct StoryArena: Sendable {
    /// Where a record begins: segment and offset in it.
    struct Place: Equatable, Sendable {
        fileprivate var number: UInt32

        /// No record.
        static let none = Place(number: .max)

        fileprivate init(number: UInt32) { self.number = number }

        fileprivate init(segment: Int, offset: Int) { number = UInt32(segment) << 16 | UInt32(offset) }

        fileprivate var segment: Int { Int(number >> 16) }
        fileprivate var offset: Int { Int(number & 0xFFFF) }
    }

    private struct Segment {
        var bytes: [UInt8] = []
        var liveCount = 0
    }

    private static let maximumSegments = 0xFFFF
    private static let ownerLength = 4
    /// What the allocator and the array need for themselves.
    private static let overhead = 48

    private let segmentLength: Int
    private var segments: [Segment] = []
    private var unused: [UInt16] = []
    /// The segments in use, oldest first; the last is written to.
    private var order: [UInt16] = []
    private var capacity = 0

    /// Makes an empty one.
    ///
    /// - Parameter segmentLength: At most 65,536 bytes; a longer record gets a segment of its own.
    init(segmentLength: Int) {
        self.segmentLength = min(max(segmentLength, 1024), 1 << 16)
    }

    /// What is allocated.
    var byteCount: Int {
        capacity + segments.capacity * MemoryLayout<Segment>.stride + (unused.capacity + order.capacity) * 2
    }

    var isEmpty: Bool { order.isEmpty }

    /// A record's bytes.
    ///
    /// - Parameters:
    ///   - place: Where it lies.
    ///   - read: Called once with the bytes around the record and the index where it begins.
    /// - Returns: What `read` returns.
    func withRecord<Result>(at place: Place, _ read: (Span<UInt8>, Int) -> Result) -> Result {
        let bytes = segments[place.segment].bytes
        return read(bytes.span, Self.record(in: bytes.span, at: place.offset).start)
    }

    /// Whether a record is that of a story.
    func isRecord(at place: Place, of story: Span<UInt8>) -> Bool {
        let bytes = segments[place.segment].bytes
        return CompactStory.isRecord(bytes.span, at: Self.record(in: bytes.span, at: place.offset).start, of: story)
    }

    /// Writes a record behind all others.
    ///
    /// - Parameters:
    ///   - record: A whole compact record.
    ///   - owner: Index of its entry.
    ///   - entries: Told where records have moved to; the new one's place is the caller's part.
    /// - Returns: Where it lies.
    mutating func append(_ record: [UInt8], owner: Int, entries: inout [StoryEntry]) -> Place {
        let length = Self.ownerLength + Self.lengthLength(record.count) + record.count
        let segment = segmentWithRoom(for: length, entries: &entries)
        let offset = segments[segment].bytes.count
        let before = segments[segment].bytes.capacity
        if before < offset + length {
            let wanted = max(min(2 * before, segmentLength), offset + length, 1024)
            segments[segment].bytes.reserveCapacity(wanted)
            capacity += segments[segment].bytes.capacity - before
        }
        segments[segment].bytes.append(addingCapacity: length - record.count) { output in
            for shift in stride(from: 0, to: 32, by: 8) { output.append(UInt8(truncatingIfNeeded: owner >> shift)) }
            output.append(number: UInt64(record.count))
        }
        segments[segment].bytes.append(contentsOf: record)
        segments[segment].liveCount += length
        return Place(segment: segment, offset: offset)
    }

    /// Gives up a record, whose entry knows its place no more.
    mutating func release(_ place: Place, entries: inout [StoryEntry]) {
        let segment = place.segment
        let bytes = segments[segment].bytes
        let record = Self.record(in: bytes.span, at: place.offset)
        segments[segment].liveCount -= record.end - place.offset
        if segments[segment].liveCount == 0 {
            discard(segment)
        } else if segment != Int(order[order.count - 1]) {
            compactIfSparse(segment, entries: &entries)
        }
    }

    /// Gives up the oldest segment; the entries of its records get no place.
    mutating func dropOldest(entries: inout [StoryEntry]) {
        guard let oldest = order.first.map({ Int($0) }) else { return }
        let bytes = segments[oldest].bytes
        var offset = 0
        while offset < bytes.count {
            let record = Self.record(in: bytes.span, at: offset)
            if entries[record.owner].place == Place(segment: oldest, offset: offset) {
                entries[record.owner].place = .none
            }
            offset = record.end
        }
        discard(oldest)
    }

    /// The segment to write to, or a new one.
    private mutating func segmentWithRoom(for length: Int, entries: inout [StoryEntry]) -> Int {
        if let current = order.last.map({ Int($0) }) {
            if segments[current].bytes.count + length <= segmentLength { return current }
            compactIfSparse(current, entries: &entries)
            if segments[current].bytes.count + length <= segmentLength { return current }
        }
        if unused.isEmpty, segments.count >= Self.maximumSegments { dropOldest(entries: &entries) }
        let segment: Int
        if let free = unused.popLast() {
            segment = Int(free)
        } else {
            segment = segments.count
            segments.append(Segment())
        }
        capacity += Self.overhead
        order.append(UInt16(segment))
        return segment
    }

    /// Writes the live records of a segment anew where a third of it is dead.
    private mutating func compactIfSparse(_ segment: Int, entries: inout [StoryEntry]) {
        let old = segments[segment].bytes
        let live = segments[segment].liveCount
        guard (old.count - live) * 3 >= old.count else { return }
        var new: [UInt8] = []
        new.reserveCapacity(live)
        var offset = 0
        while offset < old.count {
            let record = Self.record(in: old.span, at: offset)
            if entries[record.owner].place == Place(segment: segment, offset: offset) {
                entries[record.owner].place = Place(segment: segment, offset: new.count)
                new.append(contentsOf: old[offset..<record.end])
            }
            offset = record.end
        }
        capacity += new.capacity - old.capacity
        segments[segment].bytes = new
    }

    private mutating func discard(_ segment: Int) {
        capacity -= segments[segment].bytes.capacity + Self.overhead
        segments[segment] = Segment()
        order.removeAll { Int($0) == segment }
        unused.append(UInt16(segment))
    }

    private static func record(in bytes: Span<UInt8>, at offset: Int) -> (owner: Int, start: Int, end: Int) {
        var owner = 0
        for index in 0..<ownerLength { owner |= Int(bytes[offset + index]) << (8 * index) }
        var start = offset + ownerLength
        var length = 0
        var shift = 0
        while true {
            let byte = bytes[start]
            length |= Int(byte & 0x7F) << shift
            start += 1
            if byte < 0x80 { break }
            shift += 7
        }
        return (owner, start, start + length)
    }

    private static func lengthLength(_ length: Int) -> Int {
        var rest = length >> 7
        var count = 1
        while rest > 0 {
            rest >>= 7
            count += 1
        }
        return count
    }
}
