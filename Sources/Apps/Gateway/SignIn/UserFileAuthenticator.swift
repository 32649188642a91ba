import NewsflashBasics
package import NewsflashHTTPServer
import NewsflashSigning
package import NewsflashTimestamps

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

/// Credentials that were recently found right, so that not every request needs a slow hash.
///
/// Stores no password, but a code of name and password under a random key of this process. An entry is valid only for the hash
/// against which it was checked, so a changed password or a removed user takes effect at once.
struct CredentialCache {
    /// The code of a name and a password.
    typealias Code = [UInt8]

    private struct Entry {
        var hash: PasswordHash
        var expires: Instant
    }

    private let life: Duration
    private var entries: RecentEntries<Code, Entry>

    init(life: Duration, capacity: Int) {
        self.life = life
        entries = RecentEntries(capacity: capacity)
    }

    /// Whether credentials were recently found right against this hash. If so, their entry may be extended, so that a frequent
    /// user
    /// is never hashed again.
    mutating func knows(_ code: Code, for hash: PasswordHash, now: Instant) -> Bool {
        guard let entry = entries[code], now < entry.expires, entry.hash == hash else { return false }
        // Not extended with each request, so that most requests only read.
        if entry.expires - now < life - life / 8 { keep(code, for: hash, now: now) }
        return true
    }

    /// Stores credentials that were found right.
    mutating func keep(_ code: Code, for hash: PasswordHash, now: Instant) {
        entries.keep(Entry(hash: hash, expires: now + life), for: code)
    }
}

/// Runs slow hashes on separate threads, a few at a time, with a limited number of waiting jobs.
///
/// Guesses must not delay the right user. Therefore jobs of suspects come last and never occupy all threads. Among equal jobs
/// the
/// newest runs first: under an attack the oldest have waited too long anyway. If there are too many jobs, the oldest job of a
/// suspect is dropped, or the oldest job if no suspect waits.
final class HashingQueue: Sendable {
    private struct Job: Sendable {
        var isSuspect: Bool
        var run: @Sendable () -> Void
        var drop: @Sendable () -> Void
    }

    private struct State {
        var running = 0
        var suspectsRunning = 0
        /// The waiting jobs, oldest first.
        var waiting: [Job] = []
    }

    private let maximumRunning: Int
    private let maximumWaiting: Int
    private let state = Locked(State())

    /// Creates an idle queue.
    ///
    /// - Parameters:
    ///   - maximumRunning: The number of concurrent hashes, at least two; each needs tens of megabytes.
    ///   - maximumWaiting: The maximum number of waiting jobs.
    init(maximumRunning: Int = 2, maximumWaiting: Int = 64) {
        self.maximumRunning = max(2, maximumRunning)
        self.maximumWaiting = max(1, maximumWaiting)
    }

    /// The number of waiting jobs.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Runs a job when a thread is free.
    ///
    /// - Parameters:
    ///   - isSuspect: Whether the job is for a suspect sign-in.
    ///   - job: Blocks its thread until it is done.
    /// - Returns: The job's result; `nil` if the job was dropped, or the system has no thread left.
    func run<Result: Sendable>(isSuspect: Bool, _ job: @escaping @Sendable () -> Result) async -> Result? {
        await withCheckedContinuation { continuation in
            let job = Job(
                isSuspect: isSuspect,
                run: { continuation.resume(returning: job()) },
                drop: { continuation.resume(returning: nil) }
            )
            let (started, dropped) = state.withLock { state -> (Job?, Job?) in
                state.waiting.append(job)
                let started = next(&state)
                guard state.waiting.count > maximumWaiting else { return (started, nil) }
                let index = state.waiting.firstIndex(where: \.isSuspect) ?? state.waiting.startIndex
                return (started, state.waiting.remove(at: index))
            }
            dropped?.drop()
            if let started { start(started) }
        }
    }

    private func start(_ job: Job) {
        let isStarted = startThread(named: "newsflash-hash") { [self] in
            var job = job
            while true {
                job.run()
                guard let next = end(of: job) else { return }
                job = next
            }
        }
        guard !isStarted else { return }
        // Without a running thread, the waiting jobs would wait forever.
        let dropped = state.withLock { state -> [Job] in
            release(job, &state)
            guard state.running == 0 else { return [job] }
            defer { state.waiting = [] }
            return state.waiting + [job]
        }
        for job in dropped { job.drop() }
    }

    /// Removes and returns the job to run next, if one may run.
    private func next(_ state: inout State) -> Job? {
        guard state.running < maximumRunning else { return nil }
        let index =
            state.waiting.lastIndex { !$0.isSuspect }
            ?? (state.suspectsRunning < maximumRunning - 1 ? state.waiting.indices.last : nil)
        guard let index else { return nil }
        let job = state.waiting.remove(at: index)
        state.running += 1
        if job.isSuspect { state.suspectsRunning += 1 }
        return job
    }

    private func release(_ job: Job, _ state: inout State) {
        state.running -= 1
        if job.isSuspect { state.suspectsRunning -= 1 }
    }

    /// - Returns: The job that the same thread runs next.
    private func end(of job: Job) -> Job? {
        state.withLock { state in
            release(job, &state)
            return next(&state)
        }
    }
}
