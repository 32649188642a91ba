import HTTPServer
import Locks
import Timestamps
import Worker

/// How much users and addresses may ask.
///
/// A server that only this machine can reach, with no proxy that it trusts, knows one address: a developer's. There requests
/// are counted only if the configuration says how many.
final class GatewayLimits: Sendable {
    /// Without a table nothing is counted.
    private struct State {
        var addresses: RateTable<ClientAddress>?
        var users: RateTable<String>?
        var sends: RateTable<String>?
        var tests: RateTable<String>?
        var devices: RateTable<String>?
    }

    /// Wrong sign-ins, which count by themselves.
    let wrongSignIns: WrongSignIns
    private let state: Locked<State>

    /// Makes limits of which nothing is used up.
    ///
    /// - Parameters:
    ///   - settings: The limits; a default holds for one that is not set.
    ///   - isLocal: Whether only this machine can reach the server.
    init(_ settings: GatewaySettings, isLocal: Bool) {
        let isOpen = !isLocal || !settings.trustedProxies.isEmpty
        func table<Key>(_ limit: GatewaySettings.Limit?, _ usual: RequestRate) -> RateTable<Key>? {
            Self.rate(limit, isOpen ? usual : nil).map { RateTable(rate: $0) }
        }
        let limits = settings.limits
        state = Locked(
            State(
                addresses: table(limits.perAddress, RequestRate(perSecond: 100, burst: 500)),
                users: table(limits.perUser, RequestRate(perSecond: 20, burst: 100)),
                sends: table(limits.sendsPerUser, RequestRate(perSecond: 1, burst: 60)),
                tests: table(limits.testsPerUser, RequestRate(perSecond: 5.0 / 60, burst: 5)),
                devices: table(limits.devicesPerUser, RequestRate(perSecond: 120.0 / 3600, burst: 120))
            )
        )
        wrongSignIns = WrongSignIns(
            perName: Self.rate(limits.wrongPerName, RequestRate(perSecond: 1.0 / 6, burst: 10)),
            // Many phones may share an address, and some have an old password.
            perAddress: Self.rate(limits.wrongPerAddress, isOpen ? RequestRate(perSecond: 5, burst: 300) : nil)
        )
    }

    private static func rate(_ limit: GatewaySettings.Limit?, _ usual: RequestRate?) -> RequestRate? {
        switch limit {
        case nil: usual
        case .off: nil
        case .rate(let perSecond, let burst): RequestRate(perSecond: perSecond, burst: burst)
        }
    }

    /// Counts a request of an address.
    ///
    /// - Throws: ``GatewayRefusal``, 429.
    func count(_ client: ClientAddress?, now: Instant) throws(GatewayRefusal) {
        guard let client = client?.network else { return }
        if let wait = state.withLock({ $0.addresses?.take(client, now: now) }) {
            throw .tooMany("address_rate", after: wait)
        }
    }

    /// Counts a request of a user, and what it uses up.
    ///
    /// - Parameters:
    ///   - user: Signed in.
    ///   - call: The request, taken apart.
    ///   - isSender: Whether the configuration lets the user notify others: then the number of messages is not limited.
    ///   - now: The instant of the call.
    /// - Throws: ``GatewayRefusal``, 429.
    func count(
        _ user: GatewayUser,
        _ call: GatewayCall,
        isSender: Bool,
        now: Instant
    ) throws(GatewayRefusal) {
        let refused = state.withLock { state -> (label: String, wait: Duration)? in
            if let wait = state.users?.take(user.name, now: now) { return ("user_rate", wait) }
            switch call {
            case .notify(_, _, isTest: true):
                return state.tests?.take(user.name, now: now).map { ("test_rate", $0) }
            case .notify, .notifySelf:
                return isSender ? nil : state.sends?.take(user.name, now: now).map { ("send_rate", $0) }
            case .newRegistration, .putRegistration, .putInstallation, .patchInstallation:
                return state.devices?.take(user.name, now: now).map { ("device_rate", $0) }
            default: return nil
            }
        }
        if let refused { throw .tooMany(refused.label, after: refused.wait) }
    }
}
