import Kafka
import Testing
import Timestamps

@testable import Worker

@Suite(.timeLimit(.minutes(1)))
struct OutcomePaceTests {
    private let start = Instant.now

    private func letsGo(
        _ pace: inout OutcomePace,
        _ count: Int,
        now: Instant,
        isLast: Bool
    ) -> Bool {
        pace.letsGo(count, now: now, isLast: isLast)
    }

    private func reports(of orders: ClosedRange<UInt64>, part: PendingOrder.Parts) -> [KafkaDeliveryReport] {
        let place = KafkaDeliveryReport.Place(partition: 0, offset: 1)
        return orders.map { order in
            KafkaDeliveryReport(id: order * 4 + part.reportBits, result: .success(place), mayBePersisted: true)
        }
    }

    @Test func `what comes within a moment goes together`() {
        var pace = OutcomePace()
        #expect(pace.due == nil)
        #expect(!letsGo(&pace, 0, now: start, isLast: false))
        #expect(pace.due == nil)
        #expect(!letsGo(&pace, 1, now: start, isLast: false))
        #expect(pace.due == start + OutcomePace.moment)
        #expect(!letsGo(&pace, 5, now: start + OutcomePace.moment / 2, isLast: false))
        #expect(pace.due == start + OutcomePace.moment, "the first decides")
        #expect(letsGo(&pace, 5, now: start + OutcomePace.moment, isLast: false))
        #expect(pace.due == nil)
    }

    @Test func `what follows waits until all before it was reported`() {
        var pace = OutcomePace()
        #expect(letsGo(&pace, 3, now: start, isLast: true))
        #expect(!letsGo(&pace, 1, now: start, isLast: false))
        let later = start + OutcomePace.moment * 2
        #expect(!letsGo(&pace, 1, now: later, isLast: false))
        pace.reported(reports(of: 1...2, part: .outcome))
        #expect(!letsGo(&pace, 1, now: later, isLast: false))
        pace.reported(reports(of: 2...2, part: .deadLetter))
        #expect(pace.due == start + OutcomePace.moment)
        #expect(letsGo(&pace, 1, now: later, isLast: false))
    }

    @Test func `a leader that says nothing keeps the records of others back for a while only`() {
        var pace = OutcomePace()
        #expect(letsGo(&pace, 3, now: start, isLast: true))
        #expect(!letsGo(&pace, 1, now: start, isLast: false))
        #expect(pace.due == start + OutcomePace.patience)
        #expect(letsGo(&pace, 1, now: start + OutcomePace.patience, isLast: false))
    }

    @Test func `what the ledgers and the control topic got does not count`() {
        var pace = OutcomePace()
        #expect(letsGo(&pace, 2, now: start, isLast: true))
        pace.reported(reports(of: 1...2, part: .ledger) + reports(of: 0...0, part: .outcome))
        #expect(!letsGo(&pace, 1, now: start + OutcomePace.moment, isLast: false))
    }

    @Test func `at the end nothing stays behind`() {
        var pace = OutcomePace()
        #expect(!letsGo(&pace, 1, now: start, isLast: false))
        #expect(letsGo(&pace, 1, now: start, isLast: true))
        #expect(!letsGo(&pace, 0, now: start, isLast: true))
    }
}
