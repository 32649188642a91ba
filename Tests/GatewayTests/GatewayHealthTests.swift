import NewsflashBasics
import NewsflashHTTPServer
import NewsflashTimestamps
import NotificationHubs
import Testing

@testable import NewsflashGateway

@Suite("Health with reasons", .timeLimit(.minutes(1)))
final class GatewayHealthTests: Sendable {
    private let start = Instant(nanoseconds: 1_000_000_000)
    private let isRead = Locked(false)
    private let faults = Locked<[String]>([])

    private let reading = Promise<Bool>()

    private func health(started: Instant? = nil) -> GatewayHealth {
        GatewayHealth(
            started: started ?? start,
            isRead: { [self] in isRead.withLock { $0 } },
            waitUntilRead: { [self] in await reading.wait() ?? false },
            faults: { [self] in faults.withLock { $0 } }
        )
    }

    private func text(_ response: HTTPServerResponse) -> String {
        guard case .bytes(let bytes) = response.body else { return "" }
        return "\(response.status) " + String(decoding: bytes, as: UTF8.self)
    }

    @Test func `a starting gateway is not ready until everything is read, but only for a limited time`() {
        let health = health()
        #expect(text(health.answer(now: start)) == "503 not ready: starting\n")
        #expect(text(health.answer(now: start + .seconds(29))) == "503 not ready: starting\n")
        // Without Kafka the gateway can still serve devices.
        #expect(text(health.answer(now: start + .seconds(30))) == "200 ready\n")
        isRead.withLock { $0 = true }
        #expect(text(health.answer(now: start)) == "200 ready\n")
    }

    @Test func `a start ends when everything is read, when its time is over, or when it is cancelled`() async {
        let starting = health(started: .now)
        let cancelled = Task { await starting.waitUntilReady() }
        cancelled.cancel()
        #expect(await cancelled.value == false)
        #expect(await health(started: .now - GatewayHealth.patience + .milliseconds(20)).waitUntilReady())
        let waiting = Task { await starting.waitUntilReady() }
        reading.end(with: true)
        #expect(await waiting.value)
        #expect(await starting.waitUntilReady())
    }

    @Test func `a fault does not make a gateway unready, and people see it`() throws {
        let health = health()
        isRead.withLock { $0 = true }
        #expect(text(health.report()) == "200 ready\n")
        faults.withLock { $0 = ["kafka: no broker answers", "users: /u cannot be used"] }
        #expect(text(health.answer(now: start)) == "200 ready\n")
        #expect(
            text(health.report()) == "503 not ready: kafka: no broker answers\nnot ready: users: /u cannot be used\n"
        )
        faults.withLock { $0 = [] }
        let call = GatewayCall.putRegistration(id: "1-2-3")
        health.observe(call, status: 503, request: "abc")
        #expect(
            text(health.report())
                == "503 not ready: hub: registration.put failed with 503: see request.id=abc in the log\n"
        )
        // Other requests do not need the hub.
        health.observe(.readOutcome(event: "e"), status: 200, request: "def")
        #expect(health.report().status == 503)
        health.observe(call, status: 403, request: "ghi")
        #expect(text(health.report()) == "200 ready\n")
    }
}
