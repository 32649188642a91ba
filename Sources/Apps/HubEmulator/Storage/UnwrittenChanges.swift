import NotificationHubs

/// Changes that could not be stored, in order; they are written again before the next change.
///
/// Only the last change of each device is kept, so that a disk that is full for a day needs no more memory than the devices
/// themselves.
struct UnwrittenChanges {
    private enum Thing: Hashable {
        case registration(String, hub: String)
        case installation(String, hub: String)
        case hub(String)
        case rules
    }

    private static let fewest = 1024

    /// The changes in the order in which they happened.
    private(set) var changes: [DeviceChange] = []
    private var mostBeforePruning = Self.fewest

    var isEmpty: Bool { changes.isEmpty }

    mutating func append(_ more: [DeviceChange]) {
        changes += more
        guard changes.count > mostBeforePruning else { return }
        prune()
        // Pruning happens again at twice this size, so that it costs amortized constant time per change.
        mostBeforePruning = max(Self.fewest, 2 * changes.count)
    }

    mutating func removeAll() {
        self = UnwrittenChanges()
    }

    /// Drops changes that a later change overrides.
    private mutating func prune() {
        var later: Set<Thing> = []
        var emptied: Set<String> = []
        var left: [DeviceChange] = []
        for change in changes.reversed() {
            let isNeeded =
                switch change {
                case .put(let registration, _, let hub):
                    !emptied.contains(hub) && later.insert(.registration(registration.id, hub: hub)).inserted
                case .remove(let id, let hub):
                    !emptied.contains(hub) && later.insert(.registration(id, hub: hub)).inserted
                case .putInstallation(let installation, let hub):
                    !emptied.contains(hub)
                        && later.insert(.installation(installation.id.lowercased(), hub: hub)).inserted
                case .removeInstallation(let id, let hub):
                    !emptied.contains(hub) && later.insert(.installation(id.lowercased(), hub: hub)).inserted
                case .removeAll(let hub): emptied.insert(hub).inserted
                case .putHub(let hub): later.insert(.hub(HubKey(hub.name).text)).inserted
                case .removeHub(let name): later.insert(.hub(HubKey(name).text)).inserted
                case .putRules: later.insert(.rules).inserted
                }
            if isNeeded { left.append(change) }
        }
        changes = left.reversed()
    }
}
