import Locks
import Signing
package import Timestamps

/// Signs in users of a file by name and password, the scheme `Basic`.
///
/// A name that nobody has takes as long as a wrong password, and the answer is the same. Whoever guesses is slowed down by
/// name, whether there is such a user or not; those who signed in right a short while ago are not.
package final class UserFileAuthenticator: Authenticator {
    private struct State {
        var cache: CredentialCache
        var failures: RateTable<String>
        /// Those who wait for the same check: it is made once.
        var underWay: [CredentialCache.Code: [CheckedContinuation<Verdict, Never>]] = [:]
    }

    private enum Verdict: Sendable {
        case right
        case wrong
        case overloaded
    }

    /// How often one may be wrong with a name: ten times at once, and then once in six seconds.
    private static let wrongAttempts = RequestRate(perSecond: 1.0 / 6, burst: 10)

    private let users: UserDirectory
    private let queue = HashingQueue()
    /// Made up at the start and told nobody.
    private let key: [UInt8]
    private let clock: @Sendable () -> Instant
    private let state: Locked<State>

    /// Makes an authenticator.
    ///
    /// - Parameters:
    ///   - users: Who may sign in.
    ///   - life: How long right credentials need no new check.
    ///   - clock: Tells the present, for that life and for the pace of guesses.
    package init(
        _ users: UserDirectory,
        life: Duration = .seconds(300),
        clock: @escaping @Sendable () -> Instant = { .now }
    ) {
        self.users = users
        self.clock = clock
        var generator = SystemRandomNumberGenerator()
        key = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        state = Locked(
            State(
                cache: CredentialCache(life: life, capacity: 20_000),
                failures: RateTable(rate: Self.wrongAttempts, capacity: 20_000)
            )
        )
    }

    package func authenticate(_ authorization: String, now: Timestamp) async -> AuthenticationOutcome? {
        let credentials: BasicCredentials
        switch BasicCredentials.read(authorization) {
        case .otherScheme: return nil
        case .malformed: return .refused(reason: "malformed")
        case .credentials(let read): credentials = read
        }
        guard let user = GatewayUser(credentials.name) else { return .refused(reason: "no_name") }
        let instant = clock()
        let (hash, isUser) = users.hash(of: user.name, now: instant)
        let code = HMACSHA256.code(for: Array(user.name.utf8) + [0] + credentials.password, key: key)
        if isUser, state.withLock({ $0.cache.knows(code, for: hash, now: instant) }) { return .user(user) }
        if let wait = state.withLock({ $0.failures.wait(user.name, now: instant) }) { return .throttled(after: wait) }
        switch await check(credentials.password, against: hash, code: code) {
        case .overloaded: return .overloaded
        case .right where isUser:
            state.withLock { $0.cache.keep(code, for: hash, now: instant) }
            return .user(user)
        case .right, .wrong:
            state.withLock { _ = $0.failures.take(user.name, now: instant) }
            return .refused(reason: isUser ? "wrong_password" : "no_such_user")
        }
    }

    /// Checks a password, once for all who bring it at the same time.
    private func check(_ password: [UInt8], against hash: PasswordHash, code: CredentialCache.Code) async -> Verdict {
        await withCheckedContinuation { continuation in
            let isFirst = state.withLock { state in
                defer { state.underWay[code, default: []].append(continuation) }
                return state.underWay[code] == nil
            }
            guard isFirst else { return }
            // Those who wait are told by it, whatever comes: it cannot fail, and nobody cancels it.
            Task {
                let isRight = await queue.run { (try? hash.matches(password)) }
                let verdict: Verdict =
                    switch isRight {
                    case .some(.some(true)): .right
                    case .some(.some(false)): .wrong
                    case .some(.none), .none: .overloaded
                    }
                let waiting = state.withLock { $0.underWay.removeValue(forKey: code) ?? [] }
                for continuation in waiting { continuation.resume(returning: verdict) }
            }
        }
    }
}
