import NotificationHubs

/// Deliveries in order, stored in chunks. Copies are cheap; a change to one copies only a chunk.
///
/// Readers search a copy while the hub continues.
struct KeptDeliveries {
    private static let pieceSize = 512

    /// All chunks except the last are full; removed elements of the first are `nil`.
    private var pieces: [[Delivery?]] = []
    /// The number of elements removed from the first chunk.
    private var gone = 0
    private(set) var count = 0
    /// The last assigned sequence number.
    private(set) var last: Int64 = 0

    /// Appends a delivery and assigns its number.
    mutating func append(_ delivery: Delivery) {
        last += 1
        var delivery = delivery
        delivery.sequence = last
        if pieces.last.map({ $0.count == Self.pieceSize }) ?? true {
            var piece: [Delivery?] = []
            piece.reserveCapacity(Self.pieceSize)
            pieces.append(piece)
        }
        pieces[pieces.count - 1].append(delivery)
        count += 1
    }

    mutating func removeOldest() -> Delivery? {
        guard count > 0, let delivery = pieces[0][gone] else { return nil }
        pieces[0][gone] = nil
        gone += 1
        count -= 1
        if gone == pieces[0].count {
            pieces.removeFirst()
            gone = 0
        }
        return delivery
    }

    /// Removes all deliveries; numbers continue.
    mutating func removeAll() {
        pieces = []
        gone = 0
        count = 0
    }

    /// Returns the matching deliveries after a sequence number, the oldest first.
    func deliveries(after sequence: Int64, limit: Int, where isWanted: (Delivery) -> Bool) -> [Delivery] {
        // A client may pass any number; below `last`, the arithmetic cannot overflow.
        guard sequence < last else { return [] }
        let first = last - Int64(count) + 1
        let skipped = Int(clamping: max(0, max(sequence, 0) + 1 - first))
        var found: [Delivery] = []
        var index = gone + skipped
        while index < gone + count, found.count < limit {
            if let delivery = pieces[index / Self.pieceSize][index % Self.pieceSize], isWanted(delivery) {
                found.append(delivery)
            }
            index += 1
        }
        return found
    }
}

/// The latest deliveries, limited by number and by size.
struct DeliveryLog {
    private let capacity: Int
    private let maximumBytes: Int
    /// The retained deliveries; cheap to copy.
    private(set) var kept = KeptDeliveries()
    private var bytes = 0
    /// The number of retained deliveries that share each notification, because its bytes count once.
    private var shares: [ObjectIdentifier: Int] = [:]

    /// The number of retained deliveries.
    var count: Int { kept.count }
    /// The last assigned sequence number.
    var last: Int64 { kept.last }

    init(capacity: Int, maximumBytes: Int) {
        self.capacity = max(1, capacity)
        self.maximumBytes = maximumBytes
    }

    mutating func append(_ delivery: Delivery) {
        if count == capacity { removeOldest() }
        kept.append(delivery)
        bytes += delivery.ownSize
        let shared = shares[ObjectIdentifier(delivery.notification), default: 0] + 1
        shares[ObjectIdentifier(delivery.notification)] = shared
        if shared == 1 { bytes += delivery.notification.size }
        // The newest delivery is kept regardless of its size.
        while count > 1, bytes > maximumBytes { removeOldest() }
    }

    mutating func removeAll() {
        kept.removeAll()
        bytes = 0
        shares = [:]
    }

    private mutating func removeOldest() {
        guard let delivery = kept.removeOldest() else { return }
        bytes -= delivery.ownSize
        let left = (shares[ObjectIdentifier(delivery.notification)] ?? 1) - 1
        shares[ObjectIdentifier(delivery.notification)] = left > 0 ? left : nil
        if left == 0 { bytes -= delivery.notification.size }
    }
}

extension Delivery {
    /// The bytes that this delivery does not share.
    fileprivate var ownSize: Int { handle.utf8.count }
}

extension PlatformNotification {
    fileprivate var size: Int {
        headers.reduce(body.count) { $0 + $1.name.utf8.count + $1.value.utf8.count }
            + warnings.reduce(0) { $0 + $1.utf8.count }
    }
}
