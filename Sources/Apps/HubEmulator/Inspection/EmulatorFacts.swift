import NotificationHubs
import StrictJSON
import Timestamps

/// Facts about the emulator for its console.
struct EmulatorFacts {
    let hubName: String
    let tier: HubTier
    let rules: [AccessRule]
    /// The base URL; `nil` while the hub is not listening.
    let url: String?
    /// The CA certificate that HTTPS clients must trust, in PEM; `nil` if the hub has no CA of its own.
    let authority: [UInt8]?
    /// The newsroom that publishes events for the console, if connected.
    let newsroom: NewsroomFacts?

    func write(to writer: inout JSONWriter, hub: EmulatedHub) {
        writer.beginObject()
        writer.name("name")
        writer.value(hubName)
        writer.name("tier")
        writer.value(tier.rawValue)
        if let url {
            writer.name("url")
            writer.value(url)
        }
        hub.writeDeviceCounts(to: &writer)
        writer.name("worker")
        writer.value(newsroom != nil)
        if let newsroom { newsroom.write(to: &writer) }
        writer.endObject()
    }

    /// Creates a token for the whole hub, signed with the rule that has the most claims.
    func token(host: String, end: Timestamp) -> String? {
        guard let rule = rules.max(by: { $0.claims.count < $1.claims.count }) else { return nil }
        return SharedAccessSignature(
            resource: SharedAccessSignature.resource(forURL: "http://\(host)/\(hubName)"),
            expiry: end.seconds,
            keyName: rule.name,
            key: rule.key
        ).headerValue
    }
}
