import NewsflashHTTPServer
import NewsflashSigning
import NewsflashTimestamps
import Testing

@testable import NewsflashGateway

@Suite("Guessing of passwords", .timeLimit(.minutes(1)))
struct GuessingTests {
    private let users: UserDirectory
    private let authenticator: UserFileAuthenticator
    private let limits: WrongSignIns

    init() throws {
        var file = UserFile()
        let cost = try #require(PasswordHash.Cost(logRounds: 12, blockSize: 8, repetitions: 1))
        for name in ["desk", "anna"] {
            file.set(try #require(GatewayUser(name)), try PasswordHash(of: Array("right".utf8), cost: cost))
        }
        users = try UserDirectory(file)
        let start = Instant(nanoseconds: 1_000_000_000)
        limits = WrongSignIns(
            perName: RequestRate(perSecond: 1.0 / 6, burst: 10),
            perAddress: RequestRate(perSecond: 5, burst: 300)
        )
        // The clock stands still, so that attempts are not refilled.
        authenticator = UserFileAuthenticator(users, limits, clock: { start })
    }

    private func signIn(_ name: String, _ password: String, from address: String) async -> AuthenticationOutcome? {
        let credentials = "Basic " + Base64.encode(Array("\(name):\(password)".utf8))
        return await authenticator.authenticate(credentials, from: ClientAddress(address), now: Timestamp(seconds: 0))
    }

    @Test func `parallel guesses are checked no more often than guesses one after another`() async {
        let outcomes = await withTaskGroup(of: AuthenticationOutcome?.self) { group in
            for guess in 0..<60 { group.addTask { await signIn("desk", "guess-\(guess)", from: "203.0.113.1") } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == .refused(reason: "wrong_password") } == 10)
        #expect(outcomes.count { $0 == .throttled(after: .seconds(6)) } == 50)
        let right = GatewayUser("desk").map { AuthenticationOutcome.user($0) }
        #expect(await signIn("desk", "right", from: "203.0.113.1") == .throttled(after: .seconds(6)))
        #expect(await signIn("desk", "right", from: "203.0.113.2") == right)
        // Correct credentials are accepted from every address.
        #expect(await signIn("desk", "right", from: "203.0.113.1") == right)
    }

    @Test func `correct sign-ins use up no attempts`() async {
        let start = Instant(nanoseconds: 1_000_000_000)
        let limits = WrongSignIns(
            perName: RequestRate(perSecond: 1.0 / 6, burst: 2),
            perAddress: RequestRate(perSecond: 5, burst: 3)
        )
        // Nothing is cached, so each attempt is checked.
        let authenticator = UserFileAuthenticator(users, limits, life: .zero, clock: { start })
        for _ in 0..<10 {
            let credentials = "Basic " + Base64.encode(Array("anna:right".utf8))
            let outcome = await authenticator.authenticate(
                credentials,
                from: ClientAddress("203.0.113.1"),
                now: Timestamp(seconds: 0)
            )
            #expect(outcome == GatewayUser("anna").map { .user($0) })
        }
    }

    @Test func `used credentials are cached, and forgotten after a pause`() throws {
        let start = Instant(nanoseconds: 1_000_000_000)
        let (hash, other) = (users.hash(of: "desk", now: start).hash, users.hash(of: "anna", now: start).hash)
        var cache = CredentialCache(life: .seconds(8), capacity: 10)
        cache.keep([1], for: hash, now: start)
        func knows(_ code: UInt8, _ hash: PasswordHash, at second: Int) -> Bool {
            cache.knows([code], for: hash, now: start + .seconds(second))
        }
        for second in stride(from: 5, to: 60, by: 5) { #expect(knows(1, hash, at: second)) }
        #expect(!knows(1, other, at: 56) && !knows(2, hash, at: 56))
        #expect(!knows(1, hash, at: 64))
    }

    @Test func `parallel sign-ins of the right user are checked once`() async {
        let outcomes = await withTaskGroup(of: AuthenticationOutcome?.self) { group in
            for _ in 0..<100 { group.addTask { await signIn("anna", "right", from: "203.0.113.1") } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.allSatisfy { $0 == GatewayUser("anna").map { .user($0) } })
    }

    @Test func `a client that is refused because too many wait comes after the right user from then on`() async {
        let addresses = (1...200).map { "198.51.100.\($0)" }
        let outcomes = await withTaskGroup(of: AuthenticationOutcome?.self) { group in
            for address in addresses { group.addTask { await signIn("desk", "guess of \(address)", from: address) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == .overloaded } > 0)
        let now = Instant(nanoseconds: 1_000_000_000)
        #expect(addresses.allSatisfy { limits.isSuspect("desk", from: ClientAddress($0), now: now) })
    }

    @Test func `during an attack from a hundred addresses the right user signs in from another within a second`() async
    {
        await withTaskGroup(of: AuthenticationOutcome?.self) { group in
            for guess in 0..<2000 {
                let address = "198.51.100.\(guess % 100)"
                group.addTask { await signIn("desk", "guess-\(guess)", from: address) }
            }
            // The attack has begun: the queue is full, and guesses are refused.
            var outcomes = [await group.next() ?? nil]
            let began = ContinuousClock.now
            let outcome = await signIn("desk", "right", from: "203.0.113.1")
            #expect(outcome == GatewayUser("desk").map { .user($0) })
            #expect(.now - began < .seconds(1))
            for await outcome in group { outcomes.append(outcome) }
            // Ten for each address, as in the guide.
            #expect(outcomes.count { $0 == .refused(reason: "wrong_password") } <= 1000)
            #expect(outcomes.count == 2000)
        }
    }
}
