package import NewsflashHTTPTransport
package import NewsflashTimestamps
package import NotificationHubs

/// The accepted sends; only the latest are retained, limited by number and by size.
struct SendLog {
    private let capacity: Int
    private let maximumBytes: Int
    /// Grows up to the capacity, then a ring buffer.
    private var storage: [SendRecord?] = []
    /// The index of the oldest send.
    private var oldest = 0
    /// The number of entries from the oldest send to the latest, including removed ones between them.
    private var span = 0
    private var bytes = 0
    /// The number of retained sends.
    private(set) var count = 0
    /// The last assigned sequence number.
    private(set) var last: Int64 = 0
    /// The last sequence number before the last reset.
    private(set) var base: Int64 = 0

    init(capacity: Int, maximumBytes: Int) {
        self.capacity = max(1, capacity)
        self.maximumBytes = maximumBytes
    }

    mutating func nextSequence() -> Int64 {
        last += 1
        return last
    }

    mutating func append(_ record: SendRecord) {
        while span > 0, span == capacity || bytes + record.size > maximumBytes { removeOldest() }
        // While the storage grows, no record before `oldest` is still needed, so the end is always free.
        if storage.count < capacity {
            storage.append(record)
        } else {
            storage[(oldest + span) % capacity] = record
        }
        span += 1
        count += 1
        bytes += record.size
    }

    /// Changes a send that is still retained.
    mutating func update(_ sequence: Int64, _ body: (inout SendRecord) -> Void) {
        guard let index = index(of: sequence), var record = storage[index] else { return }
        // Removed during the change, to avoid a copy.
        storage[index] = nil
        body(&record)
        storage[index] = record
    }

    /// A send, if it is still retained.
    subscript(sequence: Int64) -> SendRecord? {
        index(of: sequence).flatMap { storage[$0] }
    }

    private func index(of sequence: Int64) -> Int? {
        let before = last - Int64(span)
        // A client may pass any number.
        guard sequence > before, sequence <= last else { return nil }
        return (oldest + Int(sequence - before - 1)) % capacity
    }

    /// Removes the sends whose state cannot change any more.
    ///
    /// - Returns: The sequence numbers of the others, in ascending order.
    mutating func removeFinished() -> [Int64] {
        base = last
        var left: [Int64] = []
        for place in 0..<span {
            let index = (oldest + place) % capacity
            guard let record = storage[index] else { continue }
            if record.progress.state.isFinal { remove(at: index) } else { left.append(record.sequence) }
        }
        while span > 0, storage[oldest] == nil { removeOldest() }
        if span == 0 {
            // Frees the memory.
            storage = []
            oldest = 0
        }
        return left
    }

    /// Returns the sends after a sequence number, the oldest first.
    func records(after sequence: Int64, limit: Int = .max) -> [SendRecord] {
        // A client may pass any number; below `last`, the arithmetic cannot overflow.
        guard sequence < last else { return [] }
        let first = last - Int64(span) + 1
        var place = Int(clamping: max(0, max(sequence, 0) + 1 - first))
        var found: [SendRecord] = []
        while place < span, found.count < limit {
            if let record = storage[(oldest + place) % capacity] { found.append(record) }
            place += 1
        }
        return found
    }

    private mutating func removeOldest() {
        remove(at: oldest)
        oldest = (oldest + 1) % capacity
        span -= 1
    }

    private mutating func remove(at index: Int) {
        guard let record = storage[index].take() else { return }
        bytes -= record.size
        count -= 1
    }
}

extension SendRecord {
    /// The size in bytes of everything that the client determines.
    fileprivate var size: Int {
        handles.reduce(body.count) { $0 + $1.utf8.count } + headers.wireForm.count
            + (expression?.description.utf8.count ?? 0) + (clientTrackingID?.utf8.count ?? 0)
    }
}

/// An accepted send.
package struct SendRecord: Sendable {
    /// The sequence number, from one; a reset does not restart it.
    package var sequence: Int64
    /// The time of acceptance.
    package var time: Timestamp
    /// The name of the hub that it was sent to.
    package var hub: String
    /// By tags, to one handle, or to many.
    package var kind: SendKind
    /// Whether it was a test send.
    package var isTest: Bool
    /// The format of the body.
    package var format: PushFormat
    /// The tag expression; `nil` for a broadcast and for direct sends.
    package var expression: TagExpression?
    /// The handles of a direct send.
    package var handles: [String]
    /// The headers that are forwarded to the platforms.
    package var headers: HTTPHeaders
    /// The body; for a batch, only the notification.
    package var body: [UInt8]
    /// The client's tracking id, if it sent one.
    package var clientTrackingID: String?
    /// The hub's tracking id for the request.
    package var trackingID: String
    /// The hub's id of the notification; returned in `Location` in the standard tier only.
    package var notificationID: String
    /// The time that the hub took to accept it.
    package var acceptance: Duration = .zero
    /// Its progress and outcomes.
    package var progress = SendProgress()

    /// Whether it is a probe, which only tests the hub and reaches no device.
    package var isProbe: Bool { expression == TagExpression(.probe) }

    /// The body as text.
    package var text: String { String(decoding: body, as: UTF8.self) }
}

/// Tasks that wait for an entry of a log. They are resumed outside the lock that guards this.
struct LogWaiters {
    private struct Waiter {
        var sequence: Int64
        var continuation: CheckedContinuation<Void, Never>
    }

    private var waiters: [UInt64: Waiter] = [:]
    private var lastID: UInt64 = 0

    mutating func makeID() -> UInt64 {
        lastID += 1
        return lastID
    }

    mutating func add(_ continuation: CheckedContinuation<Void, Never>, id: UInt64, sequence: Int64) {
        waiters[id] = Waiter(sequence: sequence, continuation: continuation)
    }

    mutating func remove(id: UInt64) -> CheckedContinuation<Void, Never>? {
        waiters.removeValue(forKey: id)?.continuation
    }

    /// Removes and returns the continuations whose entry has arrived.
    mutating func removeReady(last: Int64) -> [CheckedContinuation<Void, Never>] {
        guard !waiters.isEmpty else { return [] }
        let ready = waiters.filter { $0.value.sequence <= last }
        for id in ready.keys { waiters[id] = nil }
        return ready.values.map(\.continuation)
    }
}
