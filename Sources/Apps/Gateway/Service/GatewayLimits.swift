import NewsflashBasics
import NewsflashHTTPServer
import NewsflashTimestamps
import NewsflashWorker

/// The rate limits of users and addresses.
///
/// A server that only this machine can reach, and that trusts no proxy, has a single client address: that of a developer. It
/// limits
/// requests only if the configuration sets a limit.
final class GatewayLimits: Sendable {
    /// The tables; `nil` means no limit.
    private struct State {
        var addresses: RateTable<ClientAddress>?
        var users: RateTable<String>?
        var sends: RateTable<String>?
        var tests: RateTable<String>?
        var devices: RateTable<String>?
    }

    /// The limits of wrong sign-ins, counted separately.
    let wrongSignIns: WrongSignIns
    private let state: Locked<State>

    /// Creates limits without any counted requests.
    ///
    /// - Parameters:
    ///   - settings: The limits; defaults are used for those not set.
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
            // A high limit, because many phones may share an address and some have an old password.
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
        if let wait = state.withLock({ $0.addresses?.consumeToken(of: client, now: now) }) {
            throw .tooMany("address_rate", after: wait)
        }
    }

    /// Counts a request of a user, in general and by its kind.
    ///
    /// - Parameters:
    ///   - user: The signed-in user.
    ///   - call: The decoded request.
    ///   - isSender: Whether the user may notify others; the number of messages is not limited then.
    ///   - now: The current instant.
    /// - Throws: ``GatewayRefusal``, 429.
    func count(
        _ user: GatewayUser,
        _ call: GatewayCall,
        isSender: Bool,
        now: Instant
    ) throws(GatewayRefusal) {
        let refused = state.withLock { state -> (label: String, wait: Duration)? in
            if let wait = state.users?.consumeToken(of: user.name, now: now) { return ("user_rate", wait) }
            switch call {
            case .notify(_, _, isTest: true):
                return state.tests?.consumeToken(of: user.name, now: now).map { ("test_rate", $0) }
            case .notify, .notifySelf:
                return isSender ? nil : state.sends?.consumeToken(of: user.name, now: now).map { ("send_rate", $0) }
            case .newRegistration, .putRegistration, .putInstallation, .patchInstallation:
                return state.devices?.consumeToken(of: user.name, now: now).map { ("device_rate", $0) }
            default: return nil
            }
        }
        if let refused { throw .tooMany(refused.label, after: refused.wait) }
    }
}
