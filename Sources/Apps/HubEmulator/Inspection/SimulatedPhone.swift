package import NotificationHubs
import StrictJSON

/// A phone of the console: what it needs to know of a device that is registered already.
package struct SimulatedPhone: Sendable {
    /// The installation's id; begins with `console-`.
    package var id: String
    /// Whose phone it is.
    package var name: String
    /// The language of its reader.
    package var language: String
    /// Its push service.
    package var platform: PushPlatform
    /// Where it is reached.
    package var handle: String
    /// What its reader wants to hear of.
    package var tags: [String]

    /// Makes a phone.
    ///
    /// - Parameters:
    ///   - id: The installation's id.
    ///   - name: Whose phone it is.
    ///   - language: The language of its reader.
    ///   - platform: Its push service.
    ///   - handle: Where it is reached.
    ///   - tags: What its reader wants to hear of.
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
        writer.name("tags")
        writer.beginArray()
        for tag in tags { writer.value(tag) }
        writer.endArray()
        writer.endObject()
    }
}
