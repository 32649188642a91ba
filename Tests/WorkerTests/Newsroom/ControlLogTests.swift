import NewsflashKafka
import NewsflashPublishing
import NewsflashTimestamps
import Testing

@testable import NewsflashWorker

/// The history of the control topic, and the new commands after it.
@Suite(.timeLimit(.minutes(1)))
struct ControlLogTests {
    private static let instant = Timestamp(seconds: 1_772_440_800)
    private static let reload = ControlOrder.reload(ReloadOrder(by: "novak", reason: "a test", at: instant))

    private var log = ControlLog()

    private static func order(_ act: ControlRecord.Act, _ source: String) -> ControlRecord {
        ControlRecord(act, .source(source), by: .person("novak"), reason: "a test", at: instant)
    }

    private static func level(_ name: String) -> ControlOrder {
        .logLevel(LogLevelOrder(level: name, until: instant + .seconds(60), by: "novak", reason: "a test", at: instant))
    }

    private static func read(_ orders: [(Int64, ControlRecord)]) -> ControlLog.Effect {
        var holds = SourcePauses()
        for (offset, order) in orders { holds.apply(order, at: offset) }
        return .controlled(.read(holds))
    }

    private mutating func receive(_ order: ControlOrder, at offset: Int64) -> [ControlLog.Effect] {
        receive(key: order.key ?? "", ControlOrderCodec.encode(order), at: offset)
    }

    private mutating func receive(key: String, _ value: [UInt8]?, at offset: Int64) -> [ControlLog.Effect] {
        log.receive(key: Array(key.utf8), value: value, at: offset, written: Self.instant)
    }

    @Test mutating func `history takes effect when it is read to its end, and then each command at once`() {
        let orders = [Self.order(.pause, "a"), Self.order(.pause, "b"), Self.order(.resume, "a")]
        #expect(log.learn(KafkaWatermarks(low: 0, high: 3)).isEmpty)
        #expect(receive(.source(orders[0]), at: 0).isEmpty)
        #expect(receive(.source(orders[1]), at: 1).isEmpty)
        #expect(!log.isFollowing)
        #expect(receive(.source(orders[2]), at: 2) == [Self.read([(1, orders[1]), (2, orders[2])])])
        #expect(log.isFollowing)
        #expect(log.reachEnd().isEmpty)
        let news = Self.order(.pause, "a")
        #expect(receive(.source(news), at: 3) == [.controlled(.order(news, at: 3))])
    }

    @Test mutating func `the first command after the end of the history is new`() {
        let old = Self.order(.pause, "a")
        let new = Self.order(.resume, "a")
        #expect(receive(.source(old), at: 4).isEmpty)
        _ = log.learn(KafkaWatermarks(low: 0, high: 6))
        #expect(receive(.source(new), at: 9) == [Self.read([(4, old)]), .controlled(.order(new, at: 9))])
    }

    @Test mutating func `the history of an empty topic is empty; without a known end it ends with the records`() {
        #expect(log.learn(KafkaWatermarks(low: 7, high: 7)) == [Self.read([])])
        var other = ControlLog()
        #expect(!other.isFollowing)
        #expect(other.reachEnd() == [Self.read([])])
        #expect(other.isFollowing)
    }

    @Test mutating func `in the history, the last log level takes effect, and no reload does`() {
        #expect(receive(Self.level("debug"), at: 0).isEmpty)
        #expect(receive(Self.level("trace"), at: 1).isEmpty)
        #expect(receive(Self.reload, at: 2).isEmpty)
        guard case .logLevel(let last) = Self.level("trace") else { return }
        #expect(log.reachEnd() == [Self.read([]), .logLevel(last)])
        guard case .reload(let reload) = Self.reload else { return }
        #expect(receive(Self.reload, at: 3) == [.reload(reload)])
    }

    @Test mutating func `in the history, only the last record of a key causes a remark`() {
        let garbage = Array("{".utf8)
        #expect(receive(key: "source a", garbage, at: 0).isEmpty)
        #expect(receive(key: "source b", garbage, at: 1).isEmpty)
        let release = Self.order(.resume, "a")
        #expect(receive(.source(release), at: 2).isEmpty)
        let effects = log.reachEnd()
        guard case .ignored(let remark)? = effects.first else {
            Issue.record("no remark exists")
            return
        }
        #expect((remark.key, remark.offset) == ("source b", 1))
        #expect(Array(effects.dropFirst()) == [Self.read([(2, release)])])
        guard case .ignored(let news)? = receive(key: "all", garbage, at: 3).first else {
            Issue.record("no remark exists on a new record")
            return
        }
        #expect((news.key, news.offset) == ("all", 3))
        let unknown = receive(key: "mute", Array(#"{"v":1,"act":"mute"}"#.utf8), at: 4)
        #expect(unknown == [.ignored(ControlLog.IgnoredRecord(cause: .unknown(act: "mute"), key: "mute", offset: 4))])
    }

    @Test mutating func `a tombstone resumes a source, in the history and as a new command`() throws {
        #expect(receive(.source(Self.order(.pause, "a")), at: 0).isEmpty)
        #expect(receive(key: "source a", nil, at: 1).isEmpty)
        let deletion = try #require(ControlRecord.deletion(of: "source a", at: Self.instant))
        #expect(log.reachEnd() == [Self.read([(1, deletion)])])
        #expect(receive(key: "source a", nil, at: 2) == [.controlled(.order(deletion, at: 2))])
        #expect(receive(key: "reload", nil, at: 3).isEmpty)
    }

    @Test mutating func `a topic that is read from its beginning again is history again`() {
        _ = log.reachEnd()
        log.begin()
        let order = Self.order(.pause, "a")
        #expect(receive(.source(order), at: 0).isEmpty)
        #expect(log.reachEnd() == [Self.read([(0, order)])])
    }
}
