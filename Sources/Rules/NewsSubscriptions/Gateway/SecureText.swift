import StrictJSON
public import Timestamps

/// The text of a secure push. Prints and mirrors without its words.
///
/// ```swift
/// label.text = text.headline
/// ```
public struct SecureText: Sendable, Equatable {
    /// As it came with the push: `text.id`.
    public let id: String
    /// What all revisions of a story share, to replace an older text on the screen: `shown[text.story] = text`.
    public let story: String
    /// The editorial act, such as `alert` or `correction`: `text.kind == "correction"`.
    public let kind: String
    /// The language of the text: `text.locale`.
    public let locale: String
    /// What happened, in one line: `label.text = text.headline`.
    public let headline: String
    /// What happened, in some lines: `body.text = text.summary`.
    public let summary: String?
    /// Where the story is to be read: `text.url.map(open)`.
    public let url: String?
    /// A picture's address: `text.image.map(load)`.
    public let image: String?
    /// When the desk published it: `text.published?.rfc3339`.
    public let published: Timestamp?

    /// Reads the back end's answer; nothing where what has to be there is not.
    init?(json bytes: [UInt8]) {
        guard let json = try? JSONReader.read(bytes, maximumDepth: 8),
            let id = json[member: "id"]?.string, let headline = json[member: "headline"]?.string
        else { return nil }
        self.id = id
        self.headline = headline
        story = json[member: "story"]?.string ?? ""
        kind = json[member: "kind"]?.string ?? ""
        locale = json[member: "locale"]?.string ?? ""
        summary = json[member: "summary"]?.string
        url = json[member: "url"]?.string
        image = json[member: "image"]?.string
        published = (json[member: "published"]?.string).flatMap { Timestamp(rfc3339: $0) }
    }
}

extension SecureText: CustomStringConvertible, CustomReflectable {
    /// The id alone.
    public var description: String { "SecureText(\(id))" }
    /// The id alone.
    public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}
