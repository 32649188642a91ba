package import HTTPServer
import Locks
import Signing
package import Timestamps

/// Signs in users of a file by name and password, with the scheme `Basic`.
///
/// An unknown name takes as long as a wrong password and gets the same response. Wrong passwords are limited by name and
/// address,
/// for known and unknown names. Credentials that were recently right are accepted without a check.
package final class UserFileAuthenticator: Authenticator {
    private struct State {
        var cache: CredentialCache
        /// The requests that wait for the same check, which is made once.
        var underWay: [Check: [CheckedContinuation<Verdict, Never>]] = [:]
    }

    /// Credentials and the hash they are checked against; with a changed password it is another check.
    private struct Check: Hashable {
        var code: CredentialCache.Code
        var hash: String
    }

    private enum Verdict: Sendable, Equatable {
        case right
        case wrong
        case throttled(after: Duration)
        case overloaded
    }

    private let users: UserDirectory
    private let wrongSignIns: WrongSignIns
    private let queue = HashingQueue()
    /// A random key of this process.
    private let key: [UInt8]
    private let clock: @Sendable () -> Instant
    private let state: Locked<State>

    /// Creates an authenticator.
    ///
    /// - Parameters:
    ///   - users: The users who may sign in.
    ///   - wrongSignIns: Limits wrong passwords.
    ///   - life: How long right credentials need no new check after their last use.
    ///   - clock: Returns the current instant, for `life` and for the limits.
    package init(
        _ users: UserDirectory,
        _ wrongSignIns: WrongSignIns,
        life: Duration = .seconds(300),
        clock: @escaping @Sendable () -> Instant = { .now }
    ) {
        self.users = users
        self.wrongSignIns = wrongSignIns
        self.clock = clock
        var generator = SystemRandomNumberGenerator()
        key = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        state = Locked(
            State(
                cache: CredentialCache(life: life, capacity: 20_000)
            )
        )
    }

    package func authenticate(
        _ authorization: String,
        from client: ClientAddress?,
        now: Timestamp
    ) async -> AuthenticationOutcome? {
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
        switch await check(user.name, credentials.password, against: hash, code: code, from: client, now: instant) {
        case .throttled(let wait): return .throttled(after: wait)
        case .overloaded: return .overloaded
        case .right where isUser:
            state.withLock { $0.cache.keep(code, for: hash, now: instant) }
            return .user(user)
        case .right, .wrong: return .refused(reason: isUser ? "wrong_password" : "no_such_user")
        }
    }

    /// Checks a password, once for all concurrent requests with the same credentials; counts as one attempt of the first of
    /// them.
    private func check(
        _ name: String,
        _ password: [UInt8],
        against hash: PasswordHash,
        code: CredentialCache.Code,
        from client: ClientAddress?,
        now: Instant
    ) async -> Verdict {
        await withCheckedContinuation { continuation in
            let check = Check(code: code, hash: hash.text)
            let isSuspect = wrongSignIns.isSuspect(name, from: client, now: now)
            let wait = state.withLock { state -> Duration?? in
                guard state.underWay[check] == nil else {
                    state.underWay[check, default: []].append(continuation)
                    return nil
                }
                if let wait = wrongSignIns.countAttempt(of: name, from: client, now: now) { return .some(wait) }
                state.underWay[check] = [continuation]
                return .some(nil)
            }
            guard case .some(let wait) = wait else { return }
            if let wait { return continuation.resume(returning: .throttled(after: wait)) }
            // Not cancelled with a request, because others wait for it too; all of them are resumed.
            Task {
                let isRight = await queue.run(isSuspect: isSuspect) { (try? hash.matches(password)) }
                let verdict: Verdict =
                    switch isRight {
                    case .some(.some(true)): .right
                    case .some(.some(false)): .wrong
                    case .some(.none), .none: .overloaded
                    }
                switch verdict {
                case .right: wrongSignIns.giveBack(name, from: client, now: clock())
                // A password that was not checked does not count as wrong.
                case .overloaded: wrongSignIns.turnAway(name, from: client, now: clock())
                case .wrong, .throttled: break
                }
                let waiting = state.withLock { $0.underWay.removeValue(forKey: check) ?? [] }
                for continuation in waiting { continuation.resume(returning: verdict) }
            }
        }
    }
}
