import Locks
import NewsSubscriptions

/// What a device keeps, without a device.
final class MemoryStorage: SubscriptionStorage {
    private let values: Locked<[String: [String]]>
    private let fault = Locked<SubscriptionError?>(nil)

    init(_ values: [String: [String]] = [:]) {
        self.values = Locked(values)
    }

    /// All that is kept.
    var all: [String: [String]] { values.withLock { $0 } }

    /// Lets nothing be stored from now on.
    func fail(with error: SubscriptionError) {
        fault.withLock { $0 = error }
    }

    func strings(forKey key: String) throws(SubscriptionError) -> [String]? {
        values.withLock { $0[key] }
    }

    func store(_ strings: [String]?, forKey key: String) throws(SubscriptionError) {
        if let fault = fault.withLock({ $0 }) { throw fault }
        values.withLock { $0[key] = strings }
    }
}
