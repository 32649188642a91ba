import Locks
import Timestamps

/// The registration ids that were given out a short while ago, and to whom.
///
/// An id is its user's from the answer on, before there is a registration under it: nobody else may write there first. And
/// the user's own first write need not ask the hub whose it is.
final class IssuedIDs: Sendable {
    private struct Issue {
        var user: String
        var expires: Instant
    }

    private struct State {
        var young: [String: Issue] = [:]
        var old: [String: Issue] = [:]
    }

    /// Whose an id is, as far as this process knows.
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

    /// Notes that a user was given an id.
    func issue(_ id: String, to user: GatewayUser, now: Instant) {
        state.withLock { state in
            state.young[id] = Issue(user: user.name, expires: now + life)
            guard state.young.count >= capacity / 2 else { return }
            state.old = state.young
            state.young = [:]
        }
    }

    /// Whose an id is.
    func claim(on id: String, by user: GatewayUser, now: Instant) -> Claim {
        state.withLock { state in
            guard let issue = state.young[id] ?? state.old[id], now < issue.expires else { return .unknown }
            return issue.user == user.name ? .own : .others
        }
    }

    /// Forgets an id: it was written, and from now on the hub knows whose it is.
    func forget(_ id: String) {
        state.withLock { state in
            state.young[id] = nil
            state.old[id] = nil
        }
    }
}
