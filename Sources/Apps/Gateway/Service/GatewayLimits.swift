import HTTPServer
import Locks
import Timestamps
import Worker

/// How much users and addresses may ask.
///
/// A server that only this machine can reach knows one address, a proxy's or a developer's: there wrong sign-ins count by
/// name alone, and requests where the configuration says how many.
final class GatewayLimits: Sendable {
    /// Wrong sign-ins from one address: many phones may stand behind one, and some have an old password.
    private static let wrongSignIns = RequestRate(perSecond: 5, burst: 100)

    /// Requests a second of one user, and from one address, where others can reach the server and nothing is said.
    private static let usual = (perUser: 20, perAddress: 100)

    /// Without a table nothing is counted.
    private struct State {
        var addresses: RateTable<ClientAddress>?
        var users: RateTable<String>?
        var wrongSignIns: RateTable<ClientAddress>?
    }

    private let state: Locked<State>

    /// Makes limits of which nothing is used up.
    ///
    /// - Parameters:
    ///   - settings: The rates; five seconds' worth may come at once.
    ///   - isLocal: Whether only this machine can reach the server.
    init(_ settings: GatewaySettings, isLocal: Bool) {
        func rate(_ said: Int?, _ usual: Int) -> RequestRate? {
            (said ?? (isLocal ? nil : usual)).map { RequestRate(perSecond: Double($0), burst: 5 * Double($0)) }
        }
        state = Locked(
            State(
                addresses: rate(settings.requestsPerAddress, Self.usual.perAddress).map { RateTable(rate: $0) },
                users: rate(settings.requestsPerUser, Self.usual.perUser).map { RateTable(rate: $0) },
                wrongSignIns: isLocal ? nil : RateTable(rate: Self.wrongSignIns)
            )
        )
    }

    /// Counts a request of an address.
    ///
    /// - Throws: ``GatewayRefusal``, 429.
    func count(_ client: ClientAddress?, now: Instant) throws(GatewayRefusal) {
        guard let client = client?.network else { return }
        let wait = state.withLock { state in
            state.addresses?.take(client, now: now) ?? state.wrongSignIns?.wait(client, now: now)
        }
        if let wait { throw .tooMany("address_rate", after: wait) }
    }

    /// Counts a wrong sign-in from an address.
    func countWrongSignIn(_ client: ClientAddress?, now: Instant) {
        guard let client = client?.network else { return }
        state.withLock { _ = $0.wrongSignIns?.take(client, now: now) }
    }

    /// Counts a request of a user.
    ///
    /// - Throws: ``GatewayRefusal``, 429.
    func count(_ user: GatewayUser, now: Instant) throws(GatewayRefusal) {
        if let wait = state.withLock({ $0.users?.take(user.name, now: now) }) {
            throw .tooMany("user_rate", after: wait)
        }
    }
}
