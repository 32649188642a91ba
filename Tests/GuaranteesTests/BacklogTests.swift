import NewsflashGuarantees
import NewsflashTimestamps
import Testing

/// The excuse of a late embargo by the backlog of its hub. Both hubs were away from 8 s to 14 s; a probe may take until 17 s.
@Suite(.timeLimit(.minutes(1)))
struct BacklogTests {
    /// Checks an embargo that ended at 10 s.
    ///
    /// - Parameters:
    ///   - time: The acceptance of the embargoed event by worker `w`, in milliseconds from the start.
    ///   - backlog: The acceptances of news, in milliseconds from the start.
    ///   - newer: The acceptances of news that was written after the hub's return.
    ///   - worker: The worker that sent the news, of another partition.
    ///   - hub: The hub that accepted the news.
    ///   - written: When the news was written, in milliseconds from the start.
    ///   - again: The beginning of a second outage, which takes a tenth of a second; in milliseconds from the start.
    ///   - death: A death of worker `w`, after which `x` sends the embargoed event; in milliseconds from the start.
    /// - Returns: The guarantee.
    private func met(
        _ time: Int,
        backlog: [Int],
        newer: [Int] = [],
        by worker: String = "w",
        hub: String = "main",
        written: Int = 0,
        again: Int? = nil,
        death: Int? = nil
    ) -> EmbargoMet {
        var embargoed = record("a", 1)
        embargoed.embargo = .seconds(10)
        let news = (backlog + newer).indices.map { record("n\($0)", 1) }
        var sends = (backlog + newer).enumerated().map { number, time in
            acceptance("n\(number)-1", by: worker, time, at: hub)
        }
        sends.append(acceptance("first-1", by: "w", 1000, at: "main"))
        sends.append(acceptance("a-1", by: death == nil ? "w" : "x", time, at: "main"))
        var away = [(start + .seconds(8))..<(start + .seconds(14))]
        if let again { away.append((start + .milliseconds(again))..<(start + .milliseconds(again + 100))) }
        var seen = Evidence(
            records: [record("first", 1), embargoed] + news,
            written: [0: start, 1: start],
            places: [
                0: RecordPosition(partition: partition, offset: 0),
                1: RecordPosition(partition: partition, offset: 1),
            ],
            hubs: ["main", "south"],
            acceptances: sends.sorted { $0.time < $1.time },
            away: ["main": away, "south": away]
        )
        for number in news.indices {
            seen.written[number + 2] = start + .milliseconds(number < backlog.count ? written : 14_001)
        }
        if let death {
            seen.disturbances = [Disturbance(kind: .killed, worker: "w", time: start + .milliseconds(death))]
            seen.patience.takeover = .seconds(4)
        }
        return EmbargoMet(seen)
    }

    private func acceptance(_ event: String, by worker: String, _ time: Int, at hub: String) -> Acceptance {
        let story = String(event.dropLast(2))
        return Acceptance(
            event: event,
            story: story,
            revision: 1,
            worker: worker,
            time: start + .milliseconds(time),
            hub: hub
        )
    }

    private static func every100(from time: Int) -> [Int] { Array(stride(from: time, to: 21_000, by: 100)) }

    /// Acceptances every 100 ms from the last moment for the probe on.
    private static let steady = every100(from: 17_100)

    @Test
    func `an event in the backlog is excused however long the backlog takes`() {
        #expect(met(20_950, backlog: Self.steady).excused == 1)
        #expect(met(20_950, backlog: Self.every100(from: 14_100)).excused == 1, "the probe was early")
    }

    @Test
    func `an event after the end of the backlog is late`() {
        #expect(met(21_000, backlog: Self.steady).excused == 1)
        #expect(met(21_001, backlog: Self.steady).faults == ["a-1 11001 ms after its instant, by w, at main"])
    }

    @Test
    func `an event is late if its worker sent the hub nothing for a while`() {
        #expect(!met(17_200, backlog: []).isMet, "it sent nothing at all")
        #expect(!met(20_950, backlog: Self.steady.filter { $0 != 19_000 }).isMet, "it paused")
        #expect(!met(20_950, backlog: Self.every100(from: 17_200)).isMet, "the probe was late")
    }

    @Test
    func `newer events that are in memory may go before the backlog, which is read from the ledger`() {
        let few = Self.steady.filter { $0 % 1000 == 0 }
        let between = Self.steady.filter { $0 % 1000 != 0 }
        #expect(met(20_950, backlog: [17_100] + few, newer: between).excused == 1)
        #expect(!met(20_950, backlog: [17_100] + few, newer: between.filter { $0 != 19_500 }).isMet, "it paused")
        #expect(met(20_950, backlog: [17_100], newer: between + few).excused == 1, "only the event itself was left")
        #expect(!met(20_950, backlog: [17_100] + few, newer: between, by: "x").isMet)
        let most = EmbargoMet.mostNewer
        let dense = (0..<most).map { 17_101 + $0 * 7 }
        #expect(met(20_650, backlog: [17_100], newer: dense).excused == 1)
        #expect(!met(20_650, backlog: [17_100], newer: dense + [20_600]).isMet, "the backlog waited for more")
    }

    @Test
    func `newer events between the backlogs of two outages excuse nothing`() {
        let backlog = Self.every100(from: 17_100).filter { $0 <= 19_000 }
        let newer = Self.every100(from: 19_100).filter { $0 <= 20_000 }
        #expect(!met(20_300, backlog: backlog, newer: newer, again: 20_050).isMet)
        #expect(met(20_300, backlog: backlog + newer, again: 20_050).excused == 1)
    }

    @Test
    func `only the backlog of the worker and of the hub excuses a late event`() {
        #expect(!met(20_950, backlog: Self.steady, by: "x").isMet)
        #expect(!met(20_950, backlog: Self.steady, hub: "south").isMet)
        #expect(met(20_950, backlog: Self.steady, written: 13_999).isMet)
        #expect(!met(20_950, backlog: Self.steady, written: 14_000).isMet, "this news did not wait for the hub")
    }

    @Test
    func `the backlog of a worker that dies meanwhile counts until its death`() {
        #expect(met(25_000, backlog: Self.steady, death: 20_900).excused == 1)
        #expect(!met(25_000, backlog: Array(Self.steady.prefix(30)), death: 20_900).isMet, "it had sent all of it")
    }
}
