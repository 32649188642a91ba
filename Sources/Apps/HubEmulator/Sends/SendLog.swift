package import NewsflashHTTPTransport
package import NewsflashTimestamps
package import NotificationHubs

/// The accepted sends; only the latest are retained, limited by number and by size.
struct SendLog {
    private let capacity: Int
    private let maximumBytes: Int
    private var records: [Int64: SendRecord] = [:]
    /// No retained send has a smaller sequence number.
    private var first: Int64 = 1
    private var bytes = 0
    /// The last assigned sequence number.
    private(set) var last: Int64 = 0
    /// The last sequence number before the last reset.
    private(set) var base: Int64 = 0

    init(capacity: Int, maximumBytes: Int) {
        self.capacity = max(1, capacity)
        self.maximumBytes = maximumBytes
    }

    /// The number of retained sends.
    var count: Int { records.count }

    mutating func nextSequence() -> Int64 {
        last += 1
        return last
    }

    /// Adds a send with a new number, or one of an earlier run with its own.
    mutating func append(_ record: SendRecord) {
        while !records.isEmpty, count == capacity || bytes + record.size > maximumBytes {
            remove(first)
            first += 1
        }
        if records.isEmpty { first = record.sequence }
        records[record.sequence] = record
        bytes += record.size
        last = max(last, record.sequence)
    }

    /// Changes a send that is still retained.
    mutating func update(_ sequence: Int64, _ body: (inout SendRecord) -> Void) {
        // Removed during the change, to avoid a copy.
        guard var record = records.removeValue(forKey: sequence) else { return }
        body(&record)
        records[sequence] = record
    }

    /// A send, if it is still retained.
    subscript(sequence: Int64) -> SendRecord? { records[sequence] }

    /// Removes the sends whose state cannot change any more.
    ///
    /// - Returns: The sequence numbers of the others, in ascending order.
    mutating func removeFinished() -> [Int64] {
        base = last
        for record in records.values where record.progress.state.isFinal { remove(record.sequence) }
        let left = records.keys.sorted()
        first = left.first ?? last + 1
        return left
    }

    /// Returns the sends after a sequence number, the oldest first.
    func records(after sequence: Int64, limit: Int = .max) -> [SendRecord] {
        // A client may pass any number; below `last`, the arithmetic cannot overflow.
        guard sequence < last else { return [] }
        var found: [SendRecord] = []
        var next = max(sequence + 1, first)
        while next <= last, found.count < limit {
            if let record = records[next] { found.append(record) }
            next += 1
        }
        return found
    }

    private mutating func remove(_ sequence: Int64) {
        guard let record = records.removeValue(forKey: sequence) else { return }
        bytes -= record.size
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
package struct SendRecord: Sendable, Equatable {
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
