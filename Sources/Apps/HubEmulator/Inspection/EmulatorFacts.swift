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

/// What a newsroom behind the emulator offers, for the console's form.
package struct NewsroomFacts: Sendable {
    /// Tags and names of its categories, in order.
    package var categories: [(tag: String, name: String)]
    /// Its languages, the default one first.
    package var locales: [String]
    /// Phones that are registered already, for the console to show.
    package var phones: [SimulatedPhone]

    /// Makes the facts.
    ///
    /// - Parameters:
    ///   - categories: Tags and names.
    ///   - locales: The default one first.
    ///   - phones: Phones that are registered already.
    package init(
        categories: [(tag: String, name: String)],
        locales: [String],
        phones: [SimulatedPhone] = []
    ) {
        self.categories = categories
        self.locales = locales
        self.phones = phones
    }

    fileprivate func write(to writer: inout JSONWriter) {
        writer.name("categories")
        writer.beginArray()
        for category in categories {
            writer.beginObject()
            writer.name("tag")
            writer.value(category.tag)
            writer.name("name")
            writer.value(category.name)
            writer.endObject()
        }
        writer.endArray()
        writer.name("locales")
        writer.beginArray()
        for locale in locales { writer.value(locale) }
        writer.endArray()
        writer.name("phones")
        writer.beginArray()
        for phone in phones { phone.write(to: &writer) }
        writer.endArray()
    }
}
