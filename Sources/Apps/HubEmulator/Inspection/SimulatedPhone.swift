package import NotificationHubs
import StrictJSON

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
        writer.name("tags")
        writer.beginArray()
        for tag in tags { writer.value(tag) }
        writer.endArray()
        writer.endObject()
    }
}
