import Locks
import Timestamps

/// The recently issued registration IDs, with their users.
///
/// An ID belongs to its user from the response on, before a registration exists: no other user may write it first. And the
/// user's own first write need not query the hub for the owner.
final class IssuedIDs: Sendable {
    private struct Issue {
        var user: String
        var expires: Instant
    }

    private struct State {
        var young: [String: Issue] = [:]
        var old: [String: Issue] = [:]
    }

    /// The owner of an ID, as far as this process can tell.
    enum Claim: Sendable, Equatable {
        case unknown
        case own
        case others
    }

    private let capacity: Int
    private let life: Duration
    private let state = Locked(State())

    init(capacity: Int = 100_000, life: Duration = .seconds(300)) {
        self.capacity = max(2, capacity)
        self.life = life
    }

    /// Records that an ID was issued to a user.
    func issue(_ id: String, to user: GatewayUser, now: Instant) {
        state.withLock { state in
            state.young[id] = Issue(user: user.name, expires: now + life)
            guard state.young.count >= capacity / 2 else { return }
            state.old = state.young
            state.young = [:]
        }
    }

    /// Returns the owner of an ID.
    func claim(on id: String, by user: GatewayUser, now: Instant) -> Claim {
        state.withLock { state in
            guard let issue = state.young[id] ?? state.old[id], now < issue.expires else { return .unknown }
            return issue.user == user.name ? .own : .others
        }
    }

    /// Forgets an ID after it was written, because the hub then stores its owner.
    func forget(_ id: String) {
        state.withLock { state in
            state.young[id] = nil
            state.old[id] = nil
        }
    }
}
