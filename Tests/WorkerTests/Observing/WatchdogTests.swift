import NewsflashObservability
import NewsflashTestSupport
import Testing

@testable import NewsflashKafka
@testable import NewsflashWorker

/// Threads that hang are noticed, even if the check hangs with them.
@Suite(.timeLimit(.minutes(1)))
struct WatchdogTests {
    @Test func `a check that does not end is reported once, and checks that end are not`() async throws {
        let looks = EventLog<Bool>()
        let gate = EventLog<Bool>()
        let overdue = EventLog<Duration>()
        let watchdog = Watchdog(every: .milliseconds(1), patience: .milliseconds(5))
        watchdog.start {
            looks.append(true)
            // The third check hangs.
            if looks.events.count == 3 { gate.blockingWait() }
        } overdue: { pause in
            overdue.append(pause)
        }
        let pause = try await overdue.wait(for: \.first)
        #expect(pause == .milliseconds(5))
        #expect(looks.events.count == 3)
        gate.append(true)
        watchdog.stop()
    }

    @Test func `a thread counts as hung after two checks without a sign of life`() {
        let start = ContinuousClock.now
        let limit = Duration.seconds(28)
        let names = ["consumer", "publishing thread", "the ledger", "nothing"]
        for (number, name) in names.enumerated() {
            var watch = HangDetector(drain: .seconds(10), sessionTimeout: .seconds(6))
            func look(after time: Duration) -> String? {
                let now = start + time
                let signs = HangDetector.Heartbeats(
                    consumer: KafkaConsumerHealth(steadyAt: now, served: number == 0 ? start : now),
                    publishing: number == 1 ? time : .zero,
                    readers: [
                        ReaderSilence("the ledger", since: number == 2 ? .now - time : .now),
                        ReaderSilence("orders", since: .now),
                    ]
                )
                return watch.check(signs, now: now)
            }
            let times = [limit - .seconds(1), limit + .seconds(5), limit + .seconds(10)]
            let texts = times.map { look(after: $0) }
            #expect(texts[0] == nil && texts[1] == nil)
            #expect(texts[2]?.contains(name) == (number < 3 ? true : nil), "\(name): \(texts[2] ?? "")")
        }
    }

    @Test func `the first fault counts, and is logged before the worker acts on it`() async {
        let log = EventLog<LogEntry>()
        let done = EventLog<(String, Int)>()
        let fatal = FatalFault(logger: Logger(label: "", handler: log)) { fault in
            done.append((fault.description, log.events.count))
        }
        #expect(!fatal.isReported)
        fatal.report(WorkerFault("the first"))
        fatal.report(WorkerFault("the second"))
        #expect(fatal.isReported)
        #expect(await fatal.wait() == WorkerFault("the first"))
        #expect(done.events.map(\.0) == ["the first"] && done.events.map(\.1) == [1])
        #expect(log.events.map(\.level) == [.critical])
    }
}

extension KafkaConsumerHealth {
    /// The health of a working member.
    fileprivate init(steadyAt now: ContinuousClock.Instant, served: ContinuousClock.Instant) {
        let group = KafkaGroupState(phase: .steady, since: now, step: "steady")
        self.init(group: group, lastServed: served, membershipConfirmed: now)
    }
}
