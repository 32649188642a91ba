import NewsflashEvents
import NewsflashPublishing
import NewsflashRendering
import NewsflashTimestamps
import NewsflashTopicPartitions
import NotificationHubs
import Testing

@testable import NewsflashGateway

/// Secure stories: who may read them, and how long.
@Suite(.timeLimit(.minutes(1)))
struct SecureTextCacheTests {
    private static let start = Timestamp(seconds: 1_772_438_400)
    private static let tokens = SecureTokens(key: Array("0123456789abcdef".utf8)) ?? SecureTokens()

    private var texts = Self.texts()
    private var offset: Int64 = -1
    /// The positions of the events by id.
    private var places: [String: (topic: String, offset: Int64)] = [:]

    private static func texts(byteLimit: Int = 1 << 20) -> SecureTextCache {
        SecureTextCache(gate: AdmissionRules(), tokens: tokens, hubs: ["main"], byteLimit: byteLimit)
    }

    private static func event(
        _ id: String,
        story: String = "s",
        revision: Int64 = 1,
        kind: EventKind = .alert,
        delivery: EventDelivery = .secure,
        _ change: (inout NewsEvent) -> Void = { _ in }
    ) -> NewsEvent {
        var event = NewsEvent(
            id: id,
            source: "desk",
            story: story,
            revision: revision,
            kind: kind,
            published: start,
            text: kind == .kill ? [] : [EventText(language: "en", headline: "Words of \(id)")],
            users: ["anna"],
            delivery: delivery
        )
        change(&event)
        return event
    }

    private mutating func add(_ event: NewsEvent, topic: String = "t") {
        offset += 1
        places[event.id] = (topic, offset)
        texts.add(event, topic: topic, at: SecureStory.Place(partition: 0, offset: offset))
    }

    /// Records an outcome of an event that was recorded before.
    private mutating func end(
        _ id: String,
        story: String = "s",
        _ outcome: OutcomeKind = .sent,
        to expressions: [String] = ["username:anna"],
        hub: String = "main",
        status: OutcomeRecord.Report.Status = .accepted,
        isFinal: Bool = true
    ) {
        guard let place = places[id] else { return }
        let targets = expressions.map { tags in
            var report = OutcomeRecord.Report()
            report.status = status
            return OutcomeRecord.Target(OutcomeRecord.Request(hub: hub, platform: "template", tags: tags), report)
        }
        var record = OutcomeRecord(
            of: Self.event(id, story: story),
            verdict: EventVerdict(outcome),
            origin: RecordOrigin(
                partition: TopicPartition(topic: place.topic, partition: 0),
                offset: place.offset,
                timestamp: nil
            ),
            config: "c",
            at: Self.start,
            targets: targets,
            isSecure: true
        )
        record.isFinal = isFinal
        texts.add(record)
    }

    /// Returns `e-1` for that event's text, `withdrawn`, `undecided`, or `nil`.
    private func read(
        _ id: String,
        story: String = "s",
        by user: String = "anna",
        devices: [[String]] = [],
        after seconds: Int64 = 60
    ) throws -> String? {
        let token = Self.tokens.token(for: Self.event(id, story: story))
        let tags = try ([["username:\(user)"]] + devices).map { try $0.map { try Tag($0) } }
        switch texts.find(token, for: tags, now: Self.start + .seconds(seconds)) {
        case .event(let event, _): return event.id
        case .withdrawn: return "withdrawn"
        case .undecided: return "undecided"
        case nil: return nil
        }
    }

    @Test mutating func `a text is returned to its audience and to nobody else`() throws {
        add(Self.event("e-1"))
        end("e-1", to: ["username:anna || username:ben"])
        #expect(try read("e-1") == "e-1")
        #expect(try read("e-1", by: "ben") == "e-1")
        #expect(try read("e-1", by: "Anna") == "e-1", "to the hub the two are one")
        #expect(try read("e-1", by: "eve") == nil)
        #expect(try read("e-2") == nil)
    }

    @Test mutating func `the text of a category is returned to users with a device in the category`() throws {
        add(Self.event("e-1"))
        end("e-1", to: ["World.en || Sports.en", "World.fr"])
        #expect(try read("e-1", by: "eve") == nil)
        #expect(try read("e-1", by: "eve", devices: [["Politics.en"]]) == nil)
        #expect(try read("e-1", by: "eve", devices: [["Politics.en"], ["world.FR", "username:eve"]]) == "e-1")
    }

    @Test mutating func `two devices together do not make their user a member of an audience`() throws {
        add(Self.event("e-1"))
        end("e-1", to: ["World && Sports"])
        #expect(try read("e-1", devices: [["World"], ["Sports"]]) == nil)
        #expect(try read("e-1", devices: [["World", "Sports"]]) == "e-1")
    }

    @Test(arguments: [
        OutcomeKind.held, .deferred, .duplicate, .superseded, .suppressed, .expired, .shadow, .invalid, .failed,
    ])
    mutating func `the text of an unsent event is returned to nobody`(_ outcome: OutcomeKind) throws {
        add(Self.event("e-1"))
        #expect(try read("e-1") == "undecided")
        end("e-1", outcome, to: [])
        #expect(try read("e-1") == nil)
    }

    @Test mutating func `a refused or skipped request was not sent, and one without an answer may have been`()
        throws
    {
        for (id, status, found) in [
            ("rejected", OutcomeRecord.Report.Status.rejected, nil), ("skipped", .skipped, nil),
            ("unknown", .unknown, "unknown"), ("accepted", .accepted, "accepted"),
        ] {
            add(Self.event(id, story: id))
            end(id, story: id, .partial, status: status)
            #expect(try read(id, story: id) == found)
        }
    }

    @Test mutating func `an outcome that is not final ends nothing`() throws {
        add(Self.event("e-1"))
        end("e-1", .deferred, to: [], isFinal: false)
        #expect(try read("e-1") == "undecided")
        end("e-1")
        #expect(try read("e-1") == "e-1")
        end("e-1", .duplicate, to: [])
        #expect(try read("e-1") == "e-1")
    }

    @Test mutating func `an event sent to a test hub, or under another command, was not sent to subscribers`() throws {
        add(Self.event("e-1"))
        end("e-1", hub: "test")
        #expect(try read("e-1") == nil)
        add(Self.event("e-2") { $0.mode = .test })
        end("e-2")
        #expect(try read("e-2") == nil)
    }

    @Test mutating func `the text of an event with open delivery is not stored`() throws {
        add(Self.event("e-1", delivery: .open))
        #expect(texts.count == 0)
        #expect(try read("e-1") == nil)
    }

    @Test mutating func `without a key no text is returned`() throws {
        texts = SecureTextCache(gate: AdmissionRules(), tokens: SecureTokens(), hubs: ["main"], byteLimit: 1 << 20)
        add(Self.event("e-1"))
        end("e-1")
        #expect(texts.count == 0)
        #expect(texts.find("no-key", for: [], now: Self.start) == nil)
    }

    @Test mutating func `an outcome may be read before its event`() throws {
        places["e-1"] = ("t", 0)
        end("e-1")
        #expect(try read("e-1") == nil)
        add(Self.event("e-1"))
        #expect(try read("e-1") == "e-1")
    }

    @Test mutating func `a story stays secure, and its newest sent text is returned for each of its tokens`()
        throws
    {
        add(Self.event("e-1"))
        end("e-1")
        add(Self.event("e-2", revision: 2, delivery: .open))
        #expect(try read("e-1") == "e-1")
        end("e-2")
        #expect(try read("e-1") == "e-2")
        #expect(try read("e-2") == "e-2")
        add(Self.event("late", revision: 1))
        end("late", .superseded, to: [])
        #expect(try read("late") == nil)
        #expect(try read("e-1") == "e-2")
    }

    @Test mutating func `a user outside the newer audience keeps the older text`() throws {
        add(Self.event("e-1"))
        end("e-1", to: ["username:anna || username:ben"])
        add(Self.event("e-2", revision: 2))
        end("e-2", to: ["username:ben || username:clara"])
        #expect(try read("e-1", by: "anna") == "e-1")
        #expect(try read("e-1", by: "ben") == "e-2")
        #expect(try read("e-1", by: "clara") == nil)
        #expect(try read("e-2", by: "clara") == "e-2")
        #expect(try read("e-2", by: "anna") == nil)
    }

    @Test mutating func `a kill of any revision withdraws at once, and nothing follows it`() throws {
        add(Self.event("e-2", revision: 2))
        end("e-2")
        add(Self.event("k", revision: 1, kind: .kill, delivery: .open))
        #expect(try read("e-2") == "withdrawn")
        #expect(try read("k") == "undecided")
        end("k")
        #expect(try read("k") == "withdrawn")
        add(Self.event("e-3", revision: 3))
        #expect(try read("e-3") == nil)
        #expect(try read("e-2", by: "eve") == nil)
        #expect(try read("k", by: "eve") == nil)
    }

    @Test mutating func `a hold withdraws the revisions before it until the desk goes on`() throws {
        add(Self.event("e-1"))
        end("e-1")
        add(Self.event("h", revision: 2, kind: .hold, delivery: .open))
        #expect(try read("e-1") == nil)
        add(Self.event("e-3", revision: 2))
        #expect(try read("e-1") == nil)
        end("e-3")
        #expect(try read("e-1") == "e-3")
    }

    @Test mutating func `an expired text is not found`() throws {
        add(Self.event("e-1"))
        end("e-1")
        #expect(try read("e-1", after: 7200) == "e-1")
        #expect(try read("e-1", after: 7201) == nil)
        add(Self.event("e-2", story: "o"))
        #expect(try read("e-2", story: "o", after: 7200) == "undecided")
        #expect(try read("e-2", story: "o", after: 7201) == nil)
    }

    @Test mutating func `stories of two topics are separate, and one token may stand for both`() throws {
        add(Self.event("e-1"))
        end("e-1", to: ["username:anna"])
        add(Self.event("e-1") { $0.text[0].headline = "Other words" }, topic: "other")
        end("e-1", to: ["username:ben"])
        add(Self.event("k", revision: 2, kind: .kill), topic: "other")
        #expect(try read("e-1", by: "anna") == "e-1")
        #expect(try read("e-1", by: "ben") == "withdrawn")
    }

    @Test mutating func `the hub is queried only if the name is not sufficient`() throws {
        add(Self.event("e-1"))
        end("e-1", to: ["username:anna"])
        add(Self.event("e-2", story: "c"))
        end("e-2", story: "c", to: ["World"])
        let anna = [[try Tag("username:anna")]]
        #expect(!texts.needsDevices(Self.tokens.token(for: Self.event("e-1")), besides: anna))
        #expect(texts.needsDevices(Self.tokens.token(for: Self.event("e-2", story: "c")), besides: anna))
        #expect(!texts.needsDevices("a-guess", besides: anna))
    }

    @Test mutating func `beyond its limit the store forgets the least recently updated story`() throws {
        texts = Self.texts(byteLimit: 40_000)
        add(Self.event("first", story: "first"))
        add(Self.event("kept", story: "kept"))
        for number in 0..<200 {
            add(Self.event("e-\(number)", story: "s-\(number)"))
            add(Self.event("again-\(number % 8)", story: "kept", revision: Int64(number) + 2))
            #expect(texts.byteCount <= 40_000)
        }
        end("e-199", story: "s-199")
        end("first", story: "first")
        #expect(try read("e-199", story: "s-199") == "e-199")
        #expect(try read("first", story: "first") == nil)
        #expect(texts.count < 200)
    }
}
