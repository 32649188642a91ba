import NewsflashHubEmulator
import NewsflashTestSupport
import Testing

@Suite("Clients that wait because of a latency", .timeLimit(.minutes(1)))
struct WaitingClientTests {
    @Test func `clients that wait leave a connection for the request that ends the fault`() async throws {
        var configuration = HubEmulatorConfiguration()
        configuration.maximumConnections = 10
        configuration.faults = [Fault(latency: .seconds(600))]
        let hub = HubEmulator(configuration)
        try hub.start()
        let port = try #require(hub.url?.split(separator: ":").last.flatMap { UInt16($0) })
        // These are more than the server's connections, including those that are just ending.
        let waiting = try (0..<40).map { _ in
            let client = try RawClient(port: port)
            client.send("GET /newsroom/registrations HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            return client
        }
        let other = try RawClient(port: port)
        other.send("DELETE /_emulator/faults HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        #expect(await other.receiveResponse().status == 204)
        let next = try RawClient(port: port)
        next.send("GET /newsroom/registrations HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        #expect(await next.receiveResponse().status == 401)
        await hub.stop()
        withExtendedLifetime(waiting) {}
    }
}
