import HTTPServer
import Locks
import Timestamps
import Worker

/// How much users and addresses may ask.
final class GatewayLimits: Sendable {
    /// Wrong sign-ins from one address: many phones may stand behind one, and some have an old password.
    private static let wrongSignIns = RequestRate(perSecond: 5, burst: 100)

    private struct State {
        var addresses: RateTable<ClientAddress>
        var users: RateTable<String>
        var wrongSignIns: RateTable<ClientAddress>
    }

    private let state: Locked<State>

    /// Makes limits of which nothing is used up.
    ///
    /// - Parameter settings: The rates; five seconds' worth may come at once.
    init(_ settings: GatewaySettings) {
        func rate(_ perSecond: Int) -> RequestRate {
            RequestRate(perSecond: Double(perSecond), burst: 5 * Double(perSecond))
        }
        state = Locked(
            State(
                addresses: RateTable(rate: rate(settings.requestsPerAddress)),
                users: RateTable(rate: rate(settings.requestsPerUser)),
                wrongSignIns: RateTable(rate: Self.wrongSignIns)
            )
        )
    }

    /// Counts a request of an address.
    ///
    /// - Throws: ``GatewayRefusal``, 429.
    func count(_ client: ClientAddress?, now: Instant) throws(GatewayRefusal) {
        guard let client = client?.network else { return }
        let wait = state.withLock { state in
            state.addresses.take(client, now: now) ?? state.wrongSignIns.wait(client, now: now)
        }
        if let wait { throw .tooMany("address_rate", after: wait) }
    }

    /// Counts a wrong sign-in from an address.
    func countWrongSignIn(_ client: ClientAddress?, now: Instant) {
        guard let client = client?.network else { return }
        state.withLock { _ = $0.wrongSignIns.take(client, now: now) }
    }

    /// Counts a request of a user.
    ///
    /// - Throws: ``GatewayRefusal``, 429.
    func count(_ user: GatewayUser, now: Instant) throws(GatewayRefusal) {
        if let wait = state.withLock({ $0.users.take(user.name, now: now) }) {
            throw .tooMany("user_rate", after: wait)
        }
    }
}
