import NewsflashStrictJSON
import NotificationHubs

/// An application back end where the phones of the console can sign in, with test users.
///
/// The console shows these passwords to everyone who opens it, so never use passwords of real people.
struct GatewayFacts: Sendable {
    /// The base URL, such as `http://127.0.0.1:8090`.
    var url: String
    /// The names and passwords of the users.
    var users: [(name: String, password: String)]

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
struct NewsroomFacts: Sendable {
    /// The tags and names of its categories, in display order.
    var categories: [(tag: String, name: String)]
    /// Its languages; the first is the default.
    var locales: [String]
    /// Registered phones that the console shows.
    var phones: [SimulatedPhone]
    /// Its application back end, where phones can sign in, if any.
    var gateway: GatewayFacts?

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

/// A phone of the console for a registered device.
struct SimulatedPhone: Sendable {
    /// The installation id; begins with `console-`.
    var id: String
    /// The name of its owner.
    var name: String
    /// The language of its owner.
    var language: String
    /// The push service.
    var platform: PushPlatform
    /// The handle at the push service.
    var handle: String
    /// The tags that its owner subscribed to.
    var tags: [String]

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", id)
        writer.member("name", name)
        writer.member("language", language)
        writer.member("platform", platform.rawValue)
        writer.member("handle", handle)
        writer.member("tags", tags)
        writer.endObject()
    }
}
