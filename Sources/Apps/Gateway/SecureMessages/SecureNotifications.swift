/// Finds what a secure push told a phone to fetch.
///
/// Only an id travels through the push service; the text stays here and goes to nobody but the people it was meant for.
package protocol SecureNotifications: Sendable {
    /// Finds a notification.
    ///
    /// - Parameters:
    ///   - id: As it came with the push.
    ///   - user: The signed-in user; one who is not in the audience gets ``SecureNotification/notFound``.
    ///   - languages: The user's languages, the preferred first; may be empty.
    /// - Returns: The notification's text, or why there is none.
    func notification(_ id: String, for user: String, languages: [String]) async -> SecureNotification

    /// Whether everything is read that is needed to find notifications.
    var isReady: Bool { get }
}

extension SecureNotifications {
    package var isReady: Bool { true }
}

/// What became of a search for a secure notification.
package enum SecureNotification: Sendable, Equatable {
    /// The user may read it.
    case found(SecureText)
    /// There is none of that id, or it is not for this user: nobody learns which.
    case notFound
    /// There was one, and the desk has withdrawn it.
    case withdrawn
    /// The texts have not all been read yet: ask again later.
    case unavailable
}

/// The text of a secure notification, in the language that fits its reader best.
package struct SecureText: Sendable, Equatable {
    /// As it came with the push.
    package var id: String
    /// What all revisions share.
    package var story: String
    /// The editorial act, such as `alert` or `correction`.
    package var kind: String
    /// The language of the text.
    package var locale: String
    /// What happened, in one line.
    package var headline: String
    /// What happened, in some lines.
    package var summary: String?
    /// Where the story is to be read.
    package var url: String?
    /// A picture's address.
    package var image: String?
    /// When the desk published it, as in RFC 3339.
    package var published: String

    /// Makes a text.
    ///
    /// - Parameters:
    ///   - id: As it came with the push.
    ///   - story: What all revisions share.
    ///   - kind: The editorial act.
    ///   - locale: The language of the text.
    ///   - headline: What happened, in one line.
    ///   - summary: What happened, in some lines.
    ///   - url: Where the story is to be read.
    ///   - image: A picture's address.
    ///   - published: When the desk published it, as in RFC 3339.
    package init(
        id: String,
        story: String,
        kind: String,
        locale: String,
        headline: String,
        summary: String? = nil,
        url: String? = nil,
        image: String? = nil,
        published: String
    ) {
        self.id = id
        self.story = story
        self.kind = kind
        self.locale = locale
        self.headline = headline
        self.summary = summary
        self.url = url
        self.image = image
        self.published = published
    }
}
