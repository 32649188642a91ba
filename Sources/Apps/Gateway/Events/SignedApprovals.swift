import Locks
import NewsEvents
import Signing
import Timestamps

/// The users who have handed in the same event: four eyes that each have signed in, and not names that somebody typed.
///
/// It covers this process only, in bounded memory.
final class SignedApprovals: Sendable {
    private struct Entry {
        var users: [String]
        var expires: Instant
    }

    private let capacity: Int
    private let state = Locked<[[UInt8]: Entry]>([:])

    init(capacity: Int = 10_000) {
        self.capacity = capacity
    }

    /// Counts a user who hands in an event.
    ///
    /// - Parameters:
    ///   - user: A user who has signed in.
    ///   - event: The event; its own approvers do not count. An event with other words is another one.
    ///   - topic: The topic that it goes to.
    ///   - wait: How long an approval counts.
    ///   - now: The current instant.
    /// - Returns: The names of all users who have handed it in, with this one, in order.
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
        return state.withLock { entries in
            if entries.count >= capacity {
                entries = entries.filter { now < $0.value.expires }
                if entries.count >= capacity { entries = [:] }
            }
            var entry = entries[key] ?? Entry(users: [], expires: now)
            if now >= entry.expires { entry.users = [] }
            if !entry.users.contains(user.name) { entry.users.append(user.name) }
            entry.expires = now + wait
            entries[key] = entry
            return entry.users
        }
    }
}
