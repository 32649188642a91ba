import NotificationHubs
import StrictJSON
import Timestamps

/// What the emulator tells of itself.
struct EmulatorFacts {
    let hubName: String
    let tier: HubTier
    let rules: [AccessRule]
    /// Where it listens; nothing while it does not.
    let url: String?
    /// What clients of its HTTPS are told to trust, in PEM; nothing where it has no authority of its own.
    let authority: [UInt8]?
    /// Who publishes news for the console, where someone does.
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

    /// A token for the whole hub with the rule that may do most.
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
