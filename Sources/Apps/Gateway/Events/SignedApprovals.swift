import Locks
import NewsEvents
import Signing
import Timestamps

/// The users who have sent the same event. Each has signed in, so approvals are not merely names in the event.
///
/// Covers only this process, with a memory limit.
final class SignedApprovals: Sendable {
    private struct Entry {
        var users: [String]
        var expires: Instant
    }

    private let entries: Locked<RecentEntries<[UInt8], Entry>>

    /// Creates an empty table.
    ///
    /// - Parameter minimum: The number of the latest events that are kept in any case; at most twice as many are kept. All wait
    ///   equally long, so the events that are dropped first also expire first.
    init(keepingAtLeast minimum: Int = 10_000) {
        entries = Locked(RecentEntries(capacity: 2 * minimum))
    }

    /// The number of events stored.
    var count: Int { entries.withLock { $0.count } }

    /// Adds a user who sends an event.
    ///
    /// - Parameters:
    ///   - user: A signed-in user.
    ///   - event: The event; its own approvals are ignored. An event with a different text is another event.
    ///   - topic: The topic of the event.
    ///   - wait: How long an approval is valid.
    ///   - now: The current instant.
    /// - Returns: The names of all users who have sent the event, including this one, in order.
    func add(
        _ user: GatewayUser,
        to event: NewsEvent,
        topic: String,
        for wait: Duration,
        now: Instant
    ) -> [String] {
        var unsigned = event
        unsigned.approvedBy = []
        let key = SHA256Digest.hash(of: Array(topic.utf8) + [0] + EventEncoder.encode(unsigned))
        return entries.withLock { entries in
            var entry = entries[key] ?? Entry(users: [], expires: now)
            if now >= entry.expires { entry.users = [] }
            if !entry.users.contains(user.name) { entry.users.append(user.name) }
            entry.expires = now + wait
            entries.keep(entry, for: key)
            return entry.users
        }
    }
}
