import NewsflashKafka
import NewsflashObservability
import NewsflashTestSupport
import Testing

@testable import NewsflashWorker

@Suite(.timeLimit(.minutes(1)))
struct BrokerFailuresTests {
    private let start = ContinuousClock.now
    private let refused = "10.0.0.7:9092/bootstrap: Connect to ipv4#10.0.0.7:9092 failed: Connection refused"

    @Test(arguments: [
        (
            "[thrd:10.0.0.7:9092/1]: 10.0.0.7:9092/1: Disconnected (after 7ms in state UP)", "10.0.0.7:9092",
            "Disconnected"
        ),
        (
            "writing: sasl_ssl://kafka-0.kafka:9093/bootstrap: SSL handshake failed: no (after 3ms in state S, 1 identical "
                + "error(s) suppressed) [_SSL]",
            "kafka-0.kafka:9093", "SSL handshake failed: no"
        ),
        (
            "[thrd:GroupCoordinator]: GroupCoordinator: [::1]:9092: Disconnected (after 1ms in state UP)", "[::1]:9092",
            "Disconnected"
        ),
        ("GroupCoordinator: Disconnected (after 1ms in state UP)", "GroupCoordinator", "Disconnected"),
    ])
    func `the cause of a report is the broker and the error, without times and counts`(
        report: String,
        broker: String,
        text: String
    ) {
        #expect(BrokerFailures.Cause(report) == BrokerFailures.Cause(broker: broker, text: text))
    }

    @Test(arguments: [
        "reading news[0]: Broker: Offset out of range (broker 1) [OFFSET_OUT_OF_RANGE]", "1/1 brokers are down", "",
        "newsflash.control: topic a/b: is not there", "[thrd:main]: the group newsflash: is changing",
    ])
    func `a report that is not about one broker is always logged`(report: String) {
        #expect(BrokerFailures.Cause(report) == nil)
        var failures = BrokerFailures()
        for _ in 0..<3 {
            #expect(failures.decide(report, meansAllDown: false, at: start) == .log(repeats: 0))
        }
    }

    @Test
    func `each cause is logged once in half a minute, with the number of the other reports`() {
        var failures = BrokerFailures()
        var logged: [(second: Int, repeats: Int)] = []
        for second in 0...70 {
            let report = "\(["", "reading: ", "[thrd:x]: "][second % 3])\(refused) (after \(second)ms in state CONNECT)"
            let decision = failures.decide(report, meansAllDown: false, at: start + .seconds(second))
            if case .log(let repeats) = decision { logged.append((second, repeats)) }
        }
        #expect(logged.map(\.second) == [0, 30, 60])
        #expect(logged.map(\.repeats) == [0, 29, 29])
    }

    @Test
    func `reports with another broker or another error are logged`() {
        var failures = BrokerFailures()
        let reports = [
            refused, refused.replacing("10.0.0.7", with: "10.0.0.8"), refused.replacing("refused", with: "timed out"),
            "10.0.0.7:9092/1: SASL authentication error: Invalid username or password (after 3ms in state AUTH_REQ)",
        ]
        for report in reports {
            #expect(failures.decide(report, meansAllDown: false, at: start) == .log(repeats: 0))
        }
    }

    @Test
    func `the report that all brokers are down is logged unless a cause was logged recently`() {
        var failures = BrokerFailures()
        #expect(failures.decide("3/3 brokers are down", meansAllDown: true, at: start) == .log(repeats: 0))
        #expect(failures.decide("3/3 brokers are down", meansAllDown: true, at: start + .seconds(29)) == .drop)
        #expect(failures.decide(refused, meansAllDown: false, at: start + .seconds(40)) == .log(repeats: 0))
        #expect(failures.decide("3/3 brokers are down", meansAllDown: true, at: start + .seconds(69)) == .drop)
        #expect(
            failures.decide("3/3 brokers are down", meansAllDown: true, at: start + .seconds(70)) == .log(repeats: 1)
        )
    }

    @Test
    func `the number of unlogged reports is returned when a failure is over`() {
        var failures = BrokerFailures()
        for second in [0, 1, 2] { _ = failures.decide(refused, meansAllDown: false, at: start + .seconds(second)) }
        _ = failures.decide("10.0.0.8:9092/2: Disconnected", meansAllDown: false, at: start)
        #expect(failures.removeExpired(at: start + .seconds(31)).isEmpty)
        let over = failures.removeExpired(at: start + .seconds(32))
        #expect(over.map(\.repeats) == [2])
        #expect(over.map(\.cause.broker) == ["10.0.0.7:9092"])
        #expect(failures.decide(refused, meansAllDown: false, at: start + .seconds(33)) == .log(repeats: 0))
    }

    @Test
    func `the failures of five clients of one dead broker are one log line`() {
        let entries = EventLog<LogEntry>()
        let log = KafkaFaultLog(Logger(label: "newsflash", handler: entries))
        for _ in 0..<5 {
            log.log(
                KafkaLogLine(
                    level: .error,
                    facility: "FAIL",
                    message: "[thrd:10.0.0.7:9092/bootstrap]: \(refused) (after 0ms in state"
                )
            )
            log.log(
                "a reader reports a fault",
                KafkaError(.transport, "reading: \(refused) (after 0ms in state CONNECT)")
            )
            log.log("a reader reports a fault", KafkaError(.allBrokersDown, "reading: 1/1 brokers are down"))
            log.log("a reader reports a fault", KafkaError(.groupForbidden, "reading"))
        }
        #expect(
            entries.events.map(\.message) == ["librdkafka"]
                + [String](repeating: "a reader reports a fault", count: 5)
        )
    }
}
