import NotificationHubs

/// The latest deliveries: at most so many, with at most so many bytes.
struct DeliveryLog {
    private let capacity: Int
    private let maximumBytes: Int
    /// What there is, to be copied and looked through.
    private(set) var kept = KeptDeliveries()
    private var bytes = 0
    /// How many kept deliveries share each notification, whose bytes count once.
    private var shares: [ObjectIdentifier: Int] = [:]

    /// How many are kept.
    var count: Int { kept.count }
    /// The sequence number given last.
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
        // The newest stays, whatever its size.
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
    /// What only this delivery has.
    fileprivate var ownSize: Int { handle.utf8.count }
}

extension PlatformNotification {
    fileprivate var size: Int {
        headers.reduce(body.count) { $0 + $1.name.utf8.count + $1.value.utf8.count }
            + warnings.reduce(0) { $0 + $1.utf8.count }
    }
}
