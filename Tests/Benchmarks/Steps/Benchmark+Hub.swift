import NewsflashBasics
import NewsflashHTTPTransport
import NewsflashPublishing
import NewsflashWorker
import NotificationHubs

extension Benchmark {
    /// The steps from a send to its HTTP request, and from the answer to its meaning.
    static var hub: [Benchmark] {
        [
            each("hub.request", of: { try $0.orders().sends }) { workload in
                let client = try workload.client()
                return { blackHole(try client.request(for: $0.message, to: .tags($0.expression))) }
            },
            each("hub.reply", of: { (0..<$0.count).map { .success(.accepted($0)) } }) { workload in
                let now = workload.now.wall
                return { blackHole(HubClient.reply(to: $0, now: now)) }
            },
        ]
    }
}

extension Workload {
    /// The actions that the publishing core requests when it publishes each event once.
    func orders() throws -> Machine.Orders {
        var machine = Machine(self, planner: planner)
        machine.orders = Machine.Orders()
        try machine.publish(try records(0..<count, of: machine.partition))
        return machine.orders ?? Machine.Orders()
    }

    /// A client with the worker's configuration.
    func client() throws -> HubClient {
        let connection = try HubConnectionString(
            "Endpoint=sb://newsdesk.servicebus.windows.net/;SharedAccessKeyName=SendOnly;SharedAccessKey=bm8gc2VjcmV0"
        )
        let random = Locked(SeededRandom(seed: 42))
        let now = now.wall
        return try HubClient(
            connection: connection,
            hub: configuration.hub.name,
            configuration: HubClientConfiguration(trackingID: { random.withLock { TrackingID.random(using: &$0) } }),
            clock: { now }
        )
    }
}
