import NewsflashStrictJSON
import NewsflashTimestamps
package import NotificationHubs

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
    /// The newsroom that publishes events for the console, if connected.
    let newsroom: NewsroomFacts?

    func write(to writer: inout JSONWriter, hub: EmulatedHub) {
        writer.beginObject()
        writer.member("name", hubName)
        writer.member("tier", tier.rawValue)
        if let url {
            writer.member("url", url)
        }
        hub.writeDeviceCounts(to: &writer)
        writer.member("worker", newsroom != nil)
        if let newsroom { newsroom.write(to: &writer) }
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

/// An application back end where the phones of the console can sign in, with test users.
///
/// The console shows these passwords to everyone who opens it, so never use passwords of real people.
package struct GatewayFacts: Sendable {
    /// The base URL, such as `http://127.0.0.1:8090`.
    package var url: String
    /// The names and passwords of the users.
    package var users: [(name: String, password: String)]

    /// Creates the facts.
    ///
    /// - Parameters:
    ///   - url: The base URL.
    ///   - users: The names and passwords of fictitious users.
    package init(url: String, users: [(name: String, password: String)]) {
        self.url = url
        self.users = users
    }

    func write(to writer: inout JSONWriter) {
        writer.name("gateway")
        writer.beginObject()
        writer.member("url", url)
        writer.member("users", objects: users) { writer, user in
            writer.member("name", user.name)
            writer.member("password", user.password)
        }
        writer.endObject()
    }
}

/// The features of a newsroom that is connected to the emulator, for the form of the console.
package struct NewsroomFacts: Sendable {
    /// The tags and names of its categories, in display order.
    package var categories: [(tag: String, name: String)]
    /// Its languages; the first is the default.
    package var locales: [String]
    /// Registered phones that the console shows.
    package var phones: [SimulatedPhone]
    /// Its application back end, where phones can sign in, if any.
    package var gateway: GatewayFacts?

    /// Creates the facts.
    ///
    /// - Parameters:
    ///   - categories: The tags and names of the categories.
    ///   - locales: The languages; the first is the default.
    ///   - phones: Registered phones that the console shows.
    ///   - gateway: The application back end, if any.
    package init(
        categories: [(tag: String, name: String)],
        locales: [String],
        phones: [SimulatedPhone] = [],
        gateway: GatewayFacts? = nil
    ) {
        self.categories = categories
        self.locales = locales
        self.phones = phones
        self.gateway = gateway
    }

    func write(to writer: inout JSONWriter) {
        writer.member("categories", objects: categories) { writer, category in
            writer.member("tag", category.tag)
            writer.member("name", category.name)
        }
        writer.member("locales", locales)
        writer.member("phones", each: phones) { writer, phone in phone.write(to: &writer) }
        gateway?.write(to: &writer)
    }
}

/// Publishes news events that are written in the console: through Kafka and a worker.
package protocol NewsPublisher: Sendable {
    /// The features of the newsroom.
    var facts: NewsroomFacts { get }

    /// Publishes an event.
    ///
    /// - Parameter event: A breaking-news event, version 1, as JSON.
    /// - Returns: The reason if the event was rejected; `nil` after the broker has confirmed it.
    func publish(_ event: [UInt8]) async -> String?
}

/// A phone of the console for a registered device.
package struct SimulatedPhone: Sendable {
    /// The installation id; begins with `console-`.
    package var id: String
    /// The name of its owner.
    package var name: String
    /// The language of its owner.
    package var language: String
    /// The push service.
    package var platform: PushPlatform
    /// The handle at the push service.
    package var handle: String
    /// The tags that its owner subscribed to.
    package var tags: [String]

    /// Creates a phone.
    ///
    /// - Parameters:
    ///   - id: The installation id.
    ///   - name: The name of its owner.
    ///   - language: The language of its owner.
    ///   - platform: The push service.
    ///   - handle: The handle at the push service.
    ///   - tags: The tags that its owner subscribed to.
    package init(
        id: String,
        name: String,
        language: String,
        platform: PushPlatform,
        handle: String,
        tags: [String]
    ) {
        self.id = id
        self.name = name
        self.language = language
        self.platform = platform
        self.handle = handle
        self.tags = tags
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.text("id", id)
        writer.text("name", name)
        writer.text("language", language)
        writer.text("platform", platform.rawValue)
        writer.text("handle", handle)
        writer.member("tags", tags)
        writer.endObject()
    }
}
