import NewsflashEvents
import NewsflashHubEmulator

extension HubEmulator {
    /// Waits until each of these events was pushed.
    func waitForPushes(of events: [NewsEvent]) async throws {
        var missing = Set(events.map(\.id))
        var count = 0
        while !missing.isEmpty {
            try Task.checkCancellation()
            let present = await waitForPushes(count: count + 1)
            for push in present.dropFirst(count) {
                if let event = push.property("id") { missing.remove(event) }
            }
            count = present.count
        }
    }
}
