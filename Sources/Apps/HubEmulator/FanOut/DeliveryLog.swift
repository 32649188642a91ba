import NotificationHubs

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
