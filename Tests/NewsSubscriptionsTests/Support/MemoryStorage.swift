import Locks
import NewsSubscriptions

/// What a device keeps, without a device.
final class MemoryStorage: SubscriptionStorage {
    private struct Fault {
        /// `nil` for every key.
        var key: String?
        var error: SubscriptionError
    }

    private let values: Locked<[String: [String]]>
    private let fault = Locked<Fault?>(nil)

    init(_ values: [String: [String]] = [:]) {
        self.values = Locked(values)
    }

    /// All that is kept.
    var all: [String: [String]] { values.withLock { $0 } }

    /// Lets nothing be stored from now on, or nothing under one key.
    func fail(with error: SubscriptionError, forKey key: String? = nil) {
        fault.withLock { $0 = Fault(key: key, error: error) }
    }

    /// Lets everything be stored again.
    func repair() {
        fault.withLock { $0 = nil }
    }

    func strings(forKey key: String) throws(SubscriptionError) -> [String]? {
        values.withLock { $0[key] }
    }

    func store(_ strings: [String]?, forKey key: String) throws(SubscriptionError) {
        if let fault = fault.withLock({ $0 }), fault.key == nil || fault.key == key { throw fault.error }
        values.withLock { $0[key] = strings }
    }
}
