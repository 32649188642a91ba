import NewsSubscriptions
import NewsflashBasics

/// The storage of a device, in memory.
final class MemoryStorage: SubscriptionStorage {
    private struct Fault {
        /// The failing key; `nil` for every key.
        var key: String?
        var error: SubscriptionError
    }

    private let values: Locked<[String: [String]]>
    private let fault = Locked<Fault?>(nil)

    init(_ values: [String: [String]] = [:]) {
        self.values = Locked(values)
    }

    /// Everything that is stored.
    var all: [String: [String]] { values.withLock { $0 } }

    /// Makes every write fail from now on, or the writes of one key.
    func fail(with error: SubscriptionError, forKey key: String? = nil) {
        fault.withLock { $0 = Fault(key: key, error: error) }
    }

    /// Makes all writes succeed again.
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
