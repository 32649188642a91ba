package import NewsflashStrictJSON
import NewsflashTimestamps
import NotificationHubs

/// Facts about the emulator for its console.
struct EmulatorFacts {
    let hubName: String
    let tier: HubTier
    /// The rule that signs tokens for the console.
    let consoleRule: AccessRule
    /// The base URL; `nil` while the hub is not listening.
    let url: String?
    /// The CA certificate that HTTPS clients must trust, in PEM; `nil` if the hub has no CA of its own.
    let authority: [UInt8]?
    /// The program around the emulator, if any.
    let console: (any ConsoleExtension)?

    func write(to writer: inout JSONWriter, hub: EmulatedHub) {
        writer.beginObject()
        writer.member("name", hubName)
        writer.member("tier", tier.rawValue)
        if let url {
            writer.member("url", url)
        }
        hub.writeDeviceCounts(to: &writer)
        writer.member("worker", console != nil)
        console?.writeFacts(to: &writer)
        writer.endObject()
    }

    /// Creates a token with all claims for the whole hub.
    func token(host: String, end: Timestamp) -> String {
        SharedAccessSignature(
            resource: SharedAccessSignature.resource(forURL: "http://\(host)/\(hubName)"),
            expiry: end.seconds,
            keyName: consoleRule.name,
            key: consoleRule.key
        ).headerValue
    }
}

/// A program around the emulator that adds to its console: news events are published through it, and its facts are shown.
package protocol ConsoleExtension: Sendable {
    /// Writes members of `GET /_emulator/hub`, such as `categories`, `phones` and `gateway`; the console reads them.
    func writeFacts(to writer: inout JSONWriter)

    /// Publishes an event.
    ///
    /// - Parameter event: A breaking-news event, version 1, as JSON.
    /// - Returns: The reason if the event was rejected; `nil` after the broker has confirmed it.
    func publish(_ event: [UInt8]) async -> String?
}
