/// The latest deliveries, at most so many.
struct DeliveryLog {
    private let capacity: Int
    /// Grows up to the capacity, then is used in a circle.
    private var storage: [Delivery] = []
    /// Where the oldest lies.
    private var oldest = 0
    /// The sequence number given last.
    private(set) var last: Int64 = 0

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    /// How many are kept.
    var count: Int { storage.count }

    mutating func append(_ delivery: Delivery) {
        last += 1
        var delivery = delivery
        delivery.sequence = last
        if storage.count < capacity {
            storage.append(delivery)
        } else {
            storage[oldest] = delivery
            oldest = (oldest + 1) % capacity
        }
    }

    mutating func removeAll() {
        storage = []
        oldest = 0
    }

    /// Those after a sequence number that are wanted, the oldest first.
    func deliveries(after sequence: Int64, limit: Int, where isWanted: (Delivery) -> Bool) -> [Delivery] {
        let first = last - Int64(storage.count) + 1
        let skipped = Int(clamping: max(0, max(sequence, 0) + 1 - first))
        var found: [Delivery] = []
        var index = skipped
        while index < storage.count, found.count < limit {
            let delivery = storage[(oldest + index) % storage.count]
            if isWanted(delivery) { found.append(delivery) }
            index += 1
        }
        return found
    }
}
