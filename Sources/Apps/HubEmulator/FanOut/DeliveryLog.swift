import NotificationHubs

/// The latest deliveries: at most so many, with at most so many bytes.
struct DeliveryLog {
    private let capacity: Int
    private let maximumBytes: Int
    /// Grows up to the capacity, then is used in a circle.
    private var storage: [Delivery?] = []
    /// Where the oldest lies.
    private var oldest = 0
    private var bytes = 0
    /// How many kept deliveries share each notification, whose bytes count once.
    private var shares: [ObjectIdentifier: Int] = [:]
    /// How many are kept.
    private(set) var count = 0
    /// The sequence number given last.
    private(set) var last: Int64 = 0

    init(capacity: Int, maximumBytes: Int) {
        self.capacity = max(1, capacity)
        self.maximumBytes = maximumBytes
    }

    mutating func append(_ delivery: Delivery) {
        last += 1
        var delivery = delivery
        delivery.sequence = last
        if count == capacity { removeOldest() }
        // While it grows nothing lies before `oldest` that is still wanted, so the end is always free.
        if storage.count < capacity {
            storage.append(delivery)
        } else {
            storage[(oldest + count) % capacity] = delivery
        }
        count += 1
        bytes += delivery.ownSize
        let shared = shares[ObjectIdentifier(delivery.notification), default: 0] + 1
        shares[ObjectIdentifier(delivery.notification)] = shared
        if shared == 1 { bytes += delivery.notification.size }
        // The newest stays, whatever its size.
        while count > 1, bytes > maximumBytes { removeOldest() }
    }

    mutating func removeAll() {
        storage = []
        oldest = 0
        bytes = 0
        shares = [:]
        count = 0
    }

    /// Those after a sequence number that are wanted, the oldest first.
    func deliveries(after sequence: Int64, limit: Int, where isWanted: (Delivery) -> Bool) -> [Delivery] {
        // Whoever asks may name any number: from here on it is below the last one, and nothing can overflow.
        guard sequence < last else { return [] }
        let first = last - Int64(count) + 1
        let skipped = Int(clamping: max(0, max(sequence, 0) + 1 - first))
        var found: [Delivery] = []
        var index = skipped
        while index < count, found.count < limit {
            if let delivery = storage[(oldest + index) % capacity], isWanted(delivery) { found.append(delivery) }
            index += 1
        }
        return found
    }

    private mutating func removeOldest() {
        if let delivery = storage[oldest] {
            bytes -= delivery.ownSize
            let left = (shares[ObjectIdentifier(delivery.notification)] ?? 1) - 1
            shares[ObjectIdentifier(delivery.notification)] = left > 0 ? left : nil
            if left == 0 { bytes -= delivery.notification.size }
        }
        storage[oldest] = nil
        oldest = (oldest + 1) % capacity
        count -= 1
    }
}

extension Delivery {
    /// What only this delivery has.
    fileprivate var ownSize: Int { handle.utf8.count }
}

extension PlatformNotification {
    fileprivate var size: Int {
        headers.reduce(body.count) { $0 + $1.name.utf8.count + $1.value.utf8.count }
            + warnings.reduce(0) { $0 + $1.utf8.count }
    }
}
