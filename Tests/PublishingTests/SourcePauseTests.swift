import NewsflashEvents
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

@testable import NewsflashPublishing

/// A person pauses and resumes a source.
@Suite(.timeLimit(.minutes(1)))
struct SourcePauseTests {
    private static let desk = "desk"
    private var harness = CoreHarness()

    private mutating func order(
        _ act: ControlRecord.Act,
        _ scope: PauseScope = .source(desk),
        by author: ControlRecord.Author = .person("novak"),
        clock skew: Duration = .zero
    ) {
        harness.order(ControlRecord(act, scope, by: author, reason: "a test", at: harness.now.wall + skew))
    }

    /// The reported commands.
    private var reported: [String] {
        harness.reports.compactMap { report in
            guard case .controlled(let order) = report else { return nil }
            return "\(order.act) \(order.scope)"
        }
    }

    private static func news(_ id: String, source: String = desk, kind: EventKind = .alert) -> NewsEvent {
        var news = NewsEvent.sample(id, kind: kind)
        news.source = source
        return news
    }

    @Test(arguments: [PauseScope.all, .source(desk), .topic("news")])
    mutating func `events of a paused source are not sent and wait in the ledger`(_ scope: PauseScope) {
        order(.pause, scope)
        harness.receive(Self.news("a"), Self.news("b", kind: .flash))
        #expect(harness.sends.isEmpty)
        #expect(harness.announced.map(\.verdict.reason) == ["held.source", "held.source"])
        harness.confirmAll()
        #expect(harness.committed == 2)
    }

    @Test mutating func `other sources are sent while one is paused`() {
        order(.pause)
        harness.receive(Self.news("a"), Self.news("b", source: "wire"))
        #expect(harness.sending == ["b"])
    }

    @Test mutating func `a resume sends all waiting events`() {
        order(.pause)
        harness.receive(Self.news("a"), Self.news("b"))
        harness.confirmAll()
        harness.pass(.seconds(60))
        order(.resume)
        #expect(harness.sending == ["a", "b"])
        harness.finishAll()
        #expect(harness.verdicts == ["a: sent", "b: sent"])
    }

    @Test mutating func `a pause and its waiting events survive a restart`() {
        order(.pause)
        harness.receive(Self.news("a"))
        harness.confirmAll()
        harness.crash(after: .seconds(60))
        #expect(harness.sends.isEmpty)
        order(.resume)
        #expect(harness.sending == ["a"])
    }

    /// A kill by another source, which is not paused.
    private mutating func kill(_ story: String) {
        var kill = NewsEvent.sample("kill", story: story, revision: 9, kind: .kill, categories: [])
        kill.source = "wire"
        harness.receive(kill)
        harness.rememberAll()
    }

    @Test(arguments: [0, 1])
    mutating func `a kill reaches subscribers of news that was resumed for a moment before a crash`(stops: Int) {
        order(.pause)
        harness.receive(Self.news("a"))
        harness.confirmAll()
        order(.resume)
        #expect(harness.sending == ["a"])
        harness.pass(.milliseconds(1))
        harness.orders.append(
            ControlRecord(.pause, .source(Self.desk), by: .person("novak"), reason: "", at: harness.now.wall)
        )
        harness.crash()
        for _ in 0..<stops {
            harness.handOver()
        }
        #expect(harness.sends.isEmpty)
        kill("story-of-a")
        #expect(harness.sending == ["kill"])
    }

    @Test(arguments: [(EventKind.alert, "superseded.revision"), (.kill, "suppressed.killed")], [false, true])
    mutating func `paused news is not sent after a later act of an earlier owner`(
        _ end: (late: EventKind, reason: String),
        isResumedBeforeItIsRead: Bool
    ) {
        harness.receive(Self.news("a"))
        harness.answer(.accepted)
        harness.confirmAll()
        let facts = harness.ledger["story-of-a"]?.record
        order(.pause)
        var update = NewsEvent.sample("b", story: "story-of-a", revision: 2)
        update.source = Self.desk
        harness.receive(update)
        harness.confirmAll()
        harness.answersWaitingAtOnce = false
        let act = AudienceFact.Act(id: 3, kind: end.late, revision: 3, at: harness.now.wall)
        harness.lateRecord(facts, of: "story-of-a", act)
        if isResumedBeforeItIsRead { order(.resume) }
        harness.answerRecalls()
        if !isResumedBeforeItIsRead { order(.resume) }
        #expect(harness.sends.isEmpty)
        #expect(harness.verdicts.suffix(1) == ["b: \(end.reason)"])
    }

    @Test mutating func `a kill notifies nobody if its paused news was never resumed, also after a crash`() {
        order(.pause)
        harness.receive(Self.news("a"))
        harness.confirmAll()
        harness.crash()
        kill("story-of-a")
        #expect(harness.sends.isEmpty)
        #expect(harness.verdicts.last == "kill: suppressed.never_sent")
    }

    @Test mutating func `an event that waits for another attempt is paused as well`() {
        harness.receive(Self.news("a"))
        harness.answer(.unavailable)
        order(.pause)
        harness.pass(.seconds(60))
        #expect(harness.sends.isEmpty)
        order(.resume)
        #expect(harness.sending == ["a"])
    }

    @Test mutating func `an event in flight is not sent a second time after the resume`() {
        harness.receive(Self.news("a"))
        order(.pause)
        harness.answer(.accepted)
        order(.resume)
        #expect(harness.sends.isEmpty)
        #expect(harness.verdicts == ["a: sent"])
    }

    @Test mutating func `an event that fails while its source is paused waits for the resume`() {
        harness.receive(Self.news("a"))
        order(.pause)
        harness.answer(.unavailable)
        harness.pass(.seconds(60))
        #expect(harness.sends.isEmpty)
        order(.resume)
        #expect(harness.sending == ["a"])
    }

    @Test mutating func `an event of a source that is never resumed expires`() {
        order(.pause)
        harness.receive(Self.news("a"))
        harness.confirmAll()
        harness.pass(.seconds(7201))
        #expect(harness.verdicts == ["a: expired.ttl"])
        order(.resume)
        #expect(harness.sends.isEmpty)
    }

    @Test mutating func `a resume ends a pause by a clock that is ten minutes fast`() {
        order(.pause, clock: .seconds(600))
        harness.receive(Self.news("a"))
        order(.resume)
        #expect(harness.sending == ["a"])
        #expect(harness.core.pausesInForce.isEmpty)
    }

    @Test mutating func `a pause has effect after a resume by a clock that is ten minutes fast`() {
        order(.resume, clock: .seconds(600))
        order(.pause)
        harness.receive(Self.news("a"))
        #expect(harness.sends.isEmpty)
        harness.crash()
        #expect(harness.sends.isEmpty)
    }

    @Test mutating func `a command that is read again changes nothing`() {
        order(.pause, .all)
        order(.resume, .all)
        harness.core.controlled(.order(harness.orders[0], at: 0), now: harness.now)
        harness.receive(Self.news("a"))
        #expect(harness.sending == ["a"])
        #expect(reported == ["pause all sources", "resume all sources"])
    }

    @Test mutating func `a worker that starts reports only commands in force`() {
        order(.pause, .source("wire"))
        order(.resume, .source("wire"))
        order(.pause)
        order(.resume)
        order(.pause)
        harness.reports = []
        harness.crash()
        #expect(reported == ["pause desk"])
        order(.resume)
        #expect(reported == ["pause desk", "resume desk"])
    }

    @Test mutating func `a recreated control topic resumes nothing, and its commands have effect`() {
        order(.pause, .all)
        order(.resume, .all)
        order(.pause)
        harness.receive(Self.news("a"))
        harness.orders = []
        harness.core.controlled(.read(SourcePauses()), now: harness.now)
        harness.perform()
        harness.receive(Self.news("b"))
        #expect(harness.sends.isEmpty)
        order(.resume)
        #expect(harness.sending == ["a", "b"])
        order(.pause, .all)
        harness.receive(Self.news("c"))
        #expect(harness.sending == ["a", "b"])
    }

    @Test mutating func `the deletion of a pause resumes its source`() throws {
        order(.pause)
        harness.receive(Self.news("a"))
        harness.order(try #require(ControlRecord.deletion(of: "source \(Self.desk)", at: harness.now.wall)))
        #expect(harness.sending == ["a"])
    }

    @Test mutating func `a kill is not paused by a volume limit, only by a person`() {
        order(.pause, by: .volumeLimit)
        var kill = Self.news("a", kind: .kill)
        kill.categories = ["world"]
        harness.receive(kill)
        #expect(harness.sending == ["a"])
        order(.pause)
        kill.id = "b"
        kill.story = "another"
        harness.receive(kill)
        #expect(harness.sending == ["a"])
    }

    @Test mutating func `a paused event does not stop other sources of its story, whatever its revision`() {
        order(.pause)
        var forged = Self.news("a999", kind: .kill)
        forged.story = "a"
        forged.revision = 999
        harness.receive(forged)
        harness.receive(.sample("a2", story: "a", revision: 2))
        harness.confirmAll()
        #expect(harness.verdicts == [], "a withdrawal is never superseded")
        #expect(harness.sending == ["a2"])
        harness.finishAll()
        #expect(harness.verdicts == ["a2: sent"])
        order(.resume)
        #expect(harness.sending == ["a999"])
    }

    @Test mutating func `a paused event is a duplicate when it arrives again`() {
        order(.pause)
        harness.receive(Self.news("a"))
        harness.receive(Self.news("a"))
        #expect(harness.verdicts == ["a: duplicate.id"])
    }

    @Test mutating func `a newer revision of another source replaces a paused one`() {
        order(.pause)
        var first = Self.news("a1")
        first.story = "a"
        harness.receive(first)
        harness.receive(.sample("a2", story: "a", revision: 2))
        harness.confirmAll()
        #expect(harness.verdicts == ["a1: superseded.revision"])
        #expect(harness.sending == ["a2"])
    }
}

/// The commands in force, without a clock.
@Suite(.timeLimit(.minutes(1)))
struct OrdersInForceTests {
    private static let limitPause = record(.pause, by: .volumeLimit)
    private static let resume = record(.resume)

    private static func record(
        _ act: ControlRecord.Act,
        _ scope: PauseScope = .source("desk"),
        by author: ControlRecord.Author = .person("novak"),
        at seconds: Int64 = 1_772_440_800
    ) -> ControlRecord {
        ControlRecord(act, scope, by: author, reason: "", at: Timestamp(seconds: seconds))
    }

    /// The commands of a worker that has paused a source itself.
    private static func limited() -> SourcePauses {
        var pauses = SourcePauses()
        _ = pauses.applyOwn(limitPause)
        return pauses
    }

    @Test func `a worker's own pause survives a resume before it in the topic`() {
        // The report and the two records arrive in every possible sequence.
        for isReportFirst in [true, false] {
            var pauses = Self.limited()
            if isReportFirst { _ = pauses.ownWasWritten(Self.limitPause, at: 7) }
            let changed = pauses.apply(Self.resume, at: 6)
            #expect(!changed)
            #expect(pauses.inForce == [Self.limitPause])
            pauses.apply(Self.limitPause, at: 7)
            if !isReportFirst { _ = pauses.ownWasWritten(Self.limitPause, at: 7) }
            #expect(pauses.inForce == [Self.limitPause])
            let isResumed = pauses.apply(Self.resume, at: 8)
            #expect(isResumed)
            #expect(pauses.inForce.isEmpty)
        }
    }

    @Test(arguments: [false, true])
    func `a person's pause stays in force with that of a volume limit, and a resume ends both`(isPersonFirst: Bool) {
        let person = Self.record(.pause)
        var pauses = SourcePauses()
        if isPersonFirst { pauses.apply(person, at: 6) }
        let changed = pauses.applyOwn(Self.limitPause)
        #expect(changed != isPersonFirst)
        if !isPersonFirst { pauses.apply(person, at: 6) }
        let news = NewsEvent.sample("kill", kind: .kill)
        for _ in 0..<2 {
            #expect(pauses.inForce == [Self.record(.pause)])
            var kill = news
            kill.source = "desk"
            #expect(pauses.pause(on: kill, in: CoreHarness.partition, at: 0) == person)
            pauses.apply(Self.limitPause, at: 7)
        }
        pauses.apply(Self.resume, at: 8)
        #expect(!pauses.isPaused("desk", in: CoreHarness.partition, at: 0))
    }

    @Test func `deleting a volume limit's pause keeps that of a person, but not the other way round`() throws {
        let person = Self.record(.pause)
        let at = Self.resume.at
        for key in [Self.limitPause.key, person.key] {
            var pauses = SourcePauses()
            pauses.apply(person, at: 6)
            pauses.apply(Self.limitPause, at: 7)
            let order = try ControlOrderCodec.decode(key: Array(key.utf8), value: nil, at: at)
            guard case .source(let deletion)? = order else {
                Issue.record("no order")
                return
            }
            pauses.apply(deletion, at: 8)
            #expect(pauses.inForce == (key == person.key ? [] : [person]))
        }
    }

    @Test func `a volume limit's pause that was resumed stays resumed if the topic is recreated`() {
        var pauses = SourcePauses()
        pauses.apply(Self.limitPause, at: 7)
        pauses.apply(Self.resume, at: 8)
        #expect(pauses.replace(with: SourcePauses()) == [])
        #expect(!pauses.isPaused("desk", in: CoreHarness.partition, at: 0))
    }

    @Test func `a resume after a worker's own pause has effect, although compaction deleted the pause unread`() {
        var pauses = Self.limited()
        let changed = pauses.apply(Self.resume, at: 8)
        #expect(!changed)
        let isResumed = pauses.ownWasWritten(Self.limitPause, at: 7)
        #expect(isResumed)
        #expect(pauses.inForce.isEmpty)
    }

    @Test func `a worker's own pause that was not written is in force until the next command on its scope`() {
        var pauses = Self.limited()
        let changed = pauses.ownWasWritten(Self.limitPause, at: nil)
        #expect(!changed)
        pauses.apply(Self.record(.resume, .all), at: 3)
        #expect(pauses.inForce == [Self.limitPause])
        pauses.apply(Self.resume, at: 4)
        #expect(pauses.inForce.isEmpty)
    }

    @Test func `a topic that is read again has the worker's own command or its successor`() {
        var pauses = Self.limited()
        var read = SourcePauses()
        read.apply(Self.resume, at: 0)
        #expect(pauses.replace(with: read).isEmpty)
        read.apply(Self.limitPause, at: 1)
        #expect(pauses.replace(with: read).isEmpty)
        read.apply(Self.resume, at: 2)
        #expect(pauses.replace(with: read) == [.source("desk")])
        #expect(pauses.inForce.isEmpty)
    }

    @Test func `commands are listed in the order of the topic`() {
        var pauses = SourcePauses()
        let late = Self.record(.pause, .source("a"), at: 1_772_440_900)
        let early = Self.record(.pause, .all)
        pauses.apply(late, at: 1)
        pauses.apply(early, at: 2)
        #expect(pauses.inForce == [late, early])
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `a worker that ran and one that started after compaction agree`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let scopes: [PauseScope] = [.all, .source("desk"), .source("wire")]
        var log: [(offset: Int64, record: ControlRecord)] = []
        var running = SourcePauses()
        var pending: [ControlRecord] = []
        for offset in 0..<Int64(60) {
            let scope = scopes.randomElement(using: &generator) ?? .all
            let at = Int64.random(in: 1_772_440_000...1_772_441_000, using: &generator)
            if pending.isEmpty, running.order(on: scope)?.act != .pause, Bool.random(using: &generator) {
                let own = Self.record(.pause, scope, by: .volumeLimit, at: at)
                _ = running.applyOwn(own)
                pending.append(own)
            }
            // Its record is written to the topic some commands later.
            if let own = pending.first, Int.random(in: 0..<3, using: &generator) == 0 {
                pending = []
                log.append((offset, own))
                if Bool.random(using: &generator) { _ = running.ownWasWritten(own, at: offset) }
                running.apply(own, at: offset)
            } else {
                let act: ControlRecord.Act = Bool.random(using: &generator) ? .pause : .resume
                log.append((offset, Self.record(act, scope, at: at)))
                running.apply(log[log.count - 1].record, at: offset)
            }
            guard pending.isEmpty else { continue }
            // Compaction keeps the last record of each key, and any of the others.
            let kept = log.enumerated().filter { index, entry in
                !log[(index + 1)...].contains { $0.record.key == entry.record.key }
                    || Bool.random(using: &generator)
            }
            var started = SourcePauses()
            for (_, entry) in kept { started.apply(entry.record, at: entry.offset) }
            #expect(started.orders == running.orders)
        }
    }
}

@Suite(.timeLimit(.minutes(1)))
struct ControlRecordTests {
    @Test(arguments: [PauseScope.all, .source("https://cms.example.org/desk"), .topic("news.v1")])
    func `a pause is decoded as it was encoded`(_ scope: PauseScope) throws {
        let instant = try #require(Timestamp(rfc3339: "2026-03-02T08:40:00.05Z"))
        for author in [ControlRecord.Author.volumeLimit, .person("ed:novak")] {
            let order = ControlRecord(.pause, scope, by: author, reason: "broken into", at: instant)
            #expect(try ControlOrderCodec.decode(ControlOrderCodec.encode(.source(order)).span) == .source(order))
        }
    }

    @Test(
        arguments: [
            ("{}", "/v"), (#"{"v":1}"#, "/act"), (#"{"v":1,"act":"pause"}"#, "/at"), ("[", "byte"),
            (#"{"v":1,"act":"pause","at":"2026-03-02T08:40:00Z","source":""}"#, "/source"),
            (#"{"v":1,"act":"pause","at":"2026-03-02T08:40:00Z","by":7}"#, "/by"),
            (#"{"v":1,"act":"pause","at":"2026-03-02T08:40:00Z","source":"a","topic":"b"}"#, "/topic"),
            (#"{"v":1,"act":"resume","at":"2026-03-02T08:40:00Z","topic":"a","story":"b"}"#, "/offset"),
        ]
    )
    func `an invalid command is refused with the path`(_ text: String, _ place: String) throws {
        let error = #expect(throws: ControlRecordError.self) {
            try ControlOrderCodec.decode(Array(text.utf8).span)
        }
        #expect(try #require(error).description.contains(place))
    }

    @Test(arguments: [PauseScope.all, .source("https://cms.example.org/desk"), .source(" all"), .topic("news.v1")])
    func `a tombstone resumes the scope of its key`(_ scope: PauseScope) throws {
        let at = Timestamp(seconds: 1_772_440_800)
        let order = try ControlOrderCodec.decode(key: Array(scope.key.utf8), value: nil, at: at)
        guard case .source(let resume)? = order else {
            Issue.record("no order")
            return
        }
        #expect((resume.act, resume.scope, resume.at) == (.resume, scope, at))
    }

    @Test(arguments: ["reload", "source", "source ", "", "All"])
    func `a tombstone with another key is not a command`(_ key: String) throws {
        let order = try ControlOrderCodec.decode(key: Array(key.utf8), value: nil, at: Timestamp(seconds: 0))
        #expect(order == nil)
    }
}
