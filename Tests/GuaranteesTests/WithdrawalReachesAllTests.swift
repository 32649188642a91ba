import NewsflashGuarantees
import Testing

/// The check of kills; it must be able to fail at each hub.
@Suite(.timeLimit(.minutes(1)))
struct WithdrawalReachesAllTests {
    private static let hubs = ["main", "south"]

    /// Returns the check of a story with one news event of revision 2 and its kill.
    ///
    /// - Parameters:
    ///   - revision: The revision of the kill.
    ///   - sends: Event, worker, and milliseconds from the start.
    ///   - outcome: The outcome of the kill.
    ///   - permitted: The outcomes that the kill may have.
    ///   - deaths: The times at which the worker `w` was killed.
    /// - Returns: The check.
    private func check(
        revision: Int64 = 3,
        _ sends: [(String, String, Int)],
        outcome: String = "sent",
        permitted: Set<String> = ["sent", "suppressed"],
        deaths: [Int] = []
    ) -> WithdrawalReachesAll {
        let seen = evidence(
            [record("a", 2, ["sent", "superseded", "suppressed"]), kill("a", revision, permitted)],
            sends,
            hubs: Self.hubs,
            outcomes: [1: [outcome]],
            disturbances: deaths.map { (.killed, "w", $0) }
        )
        return WithdrawalReachesAll(seen, explained: NoNeedlessDoubles(seen).explained)
    }

    @Test(arguments: [3, 2, 1] as [Int64])
    func `a kill of any revision must reach both hubs`(revision: Int64) {
        let kill = "a-\(revision)-kill"
        let news = [("a-2", "w", 0), ("a-2@south", "w", 1)]
        let both = check(revision: revision, news + [(kill, "w", 50), (kill + "@south", "w", 51)])
        #expect(both.isMet)
        #expect(both.reached == ["main": 1, "south": 1])
        #expect(both.ofNoHigherRevision == (revision > 2 ? 0 : 2))
        #expect(
            check(revision: revision, news + [(kill, "w", 50)]).faults
                == ["south accepted a-2 by w, and \(kill) never (sent)"]
        )
        #expect(
            check(revision: revision, news, outcome: "suppressed").faults == [
                "main accepted a-2 by w, and \(kill) never (suppressed)",
                "south accepted a-2 by w, and \(kill) never (suppressed)",
            ]
        )
        #expect(
            check(revision: revision, news, outcome: "superseded").faults.count == 2,
            "a kill is never stale"
        )
    }

    @Test
    func `a hub that accepted nothing of the story needs no kill`() {
        #expect(check([("a-2", "w", 0), ("a-3-kill", "w", 50)]).isMet)
        #expect(check([], outcome: "suppressed").isMet)
        let ahead = check([("a-3-kill", "w", 0), ("a-3-kill@south", "w", 1)])
        #expect(ahead.isMet)
        #expect(ahead.reached.isEmpty, "the kill was found ahead of its news")
    }

    @Test
    func `news that a hub accepts after the kill is not withdrawn`() {
        #expect(!check([("a-3-kill", "w", 0), ("a-2", "w", 50)]).isMet)
        #expect(check([("a-3-kill", "w", 0), ("a-2", "w", 50), ("a-3-kill", "w", 90)]).isMet)
    }

    @Test
    func `news in flight at its worker's death must be withdrawn too, and its repeat is explained`() {
        #expect(!check([("a-2@south", "w", 0)], outcome: "suppressed", deaths: [10]).isMet)
        let repeated = [("a-2", "w", 0), ("a-3-kill", "x", 9000), ("a-2", "x", 9001)]
        #expect(check(repeated, deaths: [10]).isMet)
        #expect(!check(repeated).isMet)
    }

    @Test
    func `a kill that was allowed to fail and failed is left to a person`() {
        let news = [("a-2", "w", 0)]
        #expect(check(news, outcome: "unknown", permitted: ["sent", "unknown"]).isMet)
        #expect(!check(news, outcome: "unknown").isMet)
        #expect(!check(news, outcome: "suppressed", permitted: ["sent", "suppressed", "unknown"]).isMet)
    }

    @Test
    func `one of thirty kills must withdraw something at each hub`() {
        func faults(_ count: Int, south: Bool) -> [String] {
            let names = (0..<count).map { "s\($0)" }
            let sends = [("s0-1", "w", 0), ("s0-1-kill", "w", 1)]
            let others = [("s0-1@south", "w", 2), ("s0-1-kill@south", "w", 3)]
            let seen = evidence(
                names.flatMap { [record($0, 1, ["sent", "superseded"]), kill($0, 1)] },
                sends + (south ? others : [("s1-1@south", "w", 2)]),
                hubs: Self.hubs
            )
            return Findings(seen).enough.faults
        }
        #expect(faults(30, south: true) == [])
        #expect(faults(30, south: false) == ["none of 30 kills withdrew anything at south"])
        #expect(faults(29, south: false) == [])
    }
}
