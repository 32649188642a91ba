import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite("The times and latencies of faults", .timeLimit(.minutes(1)))
struct FaultTimingTests {
    @Test func `the sum of all latencies is at most a year`() throws {
        let desk = try Desk()
        desk.hub.setFaults(Array(repeating: Fault(latency: .seconds(31_536_000)), count: 1000))
        #expect(desk.hub.answer(desk.request()).delay == .seconds(31_536_000))
    }

    /// A hub with a fault and a long-lived token. The test sets its clock.
    private struct Bench {
        let clock = SetClock()
        let desk: Desk

        init(_ fault: String) throws {
            let clock = clock
            desk = try Desk { $0.clock = clock.read }
            #expect(desk.inspect("PUT", "faults", body: fault).status == 200)
        }

        /// The status of a send at a time after the fault was set.
        func status(at milliseconds: Int64) -> Int {
            clock.set(Desk.now + .milliseconds(milliseconds))
            return desk.post(headers: [.init("Authorization", desk.token(life: 100_000))]).status
        }
    }

    @Test func `an outage begins and ends at its times`() throws {
        let bench = try Bench(#"{"status":503,"after":"30s","for":"60s"}"#)
        #expect([0, 29_999, 30_000, 89_999, 90_000].map(bench.status) == [201, 201, 503, 503, 201])
        #expect(bench.desk.inspect("GET", "faults").text == "[]")
    }

    @Test func `an outage with a period is repeated`() throws {
        let bench = try Bench(#"{"status":503,"after":"30s","for":"60s","every":"10m"}"#)
        for period in 0..<4 {
            let start = Int64(period) * 600_000
            #expect(
                [0, 29_999, 30_000, 89_999, 90_000].map { bench.status(at: start + $0) } == [201, 201, 503, 503, 201]
            )
        }
    }

    @Test func `the page of faults shows the rest of a window`() throws {
        let bench = try Bench(
            #"[{"status":503,"after":"30s","for":"60s"},{"cut":"after","after":"10s","for":"1s","every":"1m"}]"#
        )
        bench.clock.set(Desk.now + .seconds(20))
        #expect(
            bench.desk.inspect("GET", "faults").text
                == #"[{"status":503,"after":"10s","for":"1m"},{"cut":"after","after":"50s","for":"1s","every":"1m"}]"#
        )
        bench.clock.set(Desk.now + .seconds(70))
        #expect(
            bench.desk.inspect("GET", "faults").text
                == #"[{"status":503,"for":"20s"},{"cut":"after","for":"1s","every":"1m"}]"#
        )
    }

    @Test func `a rate limit allows its requests per second, and one second's worth at once`() throws {
        let bench = try Bench(#"{"throttle":50,"retryAfter":1}"#)
        #expect(
            (0..<60).map { _ in bench.status(at: 0) } == Array(repeating: 201, count: 50)
                + Array(repeating: 429, count: 10)
        )
        #expect(bench.desk.post().headers["Retry-After"] == "1")
        #expect([10, 20, 20, 39, 40].map(bench.status) == [429, 201, 429, 429, 201])
        // After a long pause at most one second's worth is allowed at once.
        #expect((0..<51).map { _ in bench.status(at: 60_000) } == Array(repeating: 201, count: 50) + [429])
    }

    @Test func `a rate limit sets its status and may be below one request per second`() throws {
        let bench = try Bench(#"{"throttle":0.5,"status":403,"retryAfter":2,"latency":"5ms"}"#)
        #expect([0, 0, 1999, 2000, 2000].map(bench.status) == [201, 403, 403, 201, 403])
        #expect(bench.desk.hub.answer(bench.desk.request()).delay == .milliseconds(5))
    }

    @Test(arguments: [("20ms", "400ms", 0.02, 0.4), ("1s", "2s", 1.0, 2.0), ("70ms", "70ms", 0.07, 0.07)])
    func `random latencies have the given percentiles`(low: String, high: String, p50: Double, p99: Double) throws {
        let bench = try Bench(#"{"latency":{"p50":"\#(low)","p99":"\#(high)"}}"#)
        let count = 10_000
        let request = bench.desk.request()
        let delays = (0..<count).map { _ in bench.desk.hub.answer(request).delay / .seconds(1) }.sorted()
        #expect(abs(delays[count / 2] / p50 - 1) < 0.05)
        #expect(abs(delays[count * 99 / 100] / p99 - 1) < 0.15)
        #expect((delays.first ?? 0) > 0)
    }
}
