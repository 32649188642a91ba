import StrictJSON
public import Timestamps

/// The text of a secure push. Its description and its mirror do not contain the words.
///
/// ```swift
/// label.text = text.headline
/// ```
public struct SecureText: Sendable, Equatable {
    /// The id in the push: `text.id`.
    public let id: String
    /// The identifier that all revisions of a story share, to replace an older text on the screen: `shown[text.story] =
    /// text`.
    public let story: String
    /// The editorial act, such as `alert` or `correction`: `text.kind == "correction"`.
    public let kind: String
    /// The language of the text: `text.locale`.
    public let locale: String
    /// The news in one line: `label.text = text.headline`.
    public let headline: String
    /// The news in a few lines: `body.text = text.summary`.
    public let summary: String?
    /// The link to the full story: `text.url.map(open)`.
    public let url: String?
    /// The link to a picture: `text.image.map(load)`.
    public let image: String?
    /// The time at which the newsroom published it: `text.published?.rfc3339`.
    public let published: Timestamp?

    /// Reads the back end's response; `nil` if a required member is missing.
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
    /// The type and the id, without the words.
    public var description: String { "SecureText(\(id))" }
    /// A mirror with only the id.
    public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}
