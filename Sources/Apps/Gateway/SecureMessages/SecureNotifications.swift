package import NotificationHubs

/// Finds what a secure push told a phone to fetch.
///
/// Only a token travels through the push service; the text stays here and goes to nobody but the people it was sent to.
package protocol SecureNotifications: Sendable {
    /// Finds a notification.
    ///
    /// - Parameters:
    ///   - token: As it came with the push.
    ///   - reader: The user who asks; one who is not in the audience gets ``SecureNotification/notFound``.
    ///   - languages: The user's languages, the preferred first; may be empty.
    /// - Returns: The notification's text, or why there is none.
    func notification(_ token: String, for reader: SecureReader, languages: [String]) async -> SecureNotification

    /// Whether everything is read that is needed to find notifications.
    var isReady: Bool { get }
}

extension SecureNotifications {
    package var isReady: Bool { true }
}

/// A user who asks for the text of a secure push.
package struct SecureReader: Sendable {
    /// The name of the signed-in user.
    package let name: String
    /// Asks the hub for the tags of each of the user's devices.
    package let devices: @Sendable () async throws(GatewayRefusal) -> [[Tag]]

    /// Makes a reader.
    ///
    /// - Parameters:
    ///   - name: The name of the signed-in user.
    ///   - devices: Gives the tags of each of the user's devices.
    package init(name: String, devices: @escaping @Sendable () async throws(GatewayRefusal) -> [[Tag]]) {
        self.name = name
        self.devices = devices
    }
}

/// What became of a search for a secure notification.
package enum SecureNotification: Sendable, Equatable {
    /// The user may read it.
    case found(SecureText)
    /// No text for this user: the token is unknown, the user was not in the audience, or it was not sent. Nobody learns which.
    case notFound
    /// There was one, and the desk has withdrawn it.
    case withdrawn
    /// The texts are still being read, the outcome is not known yet, or the hub cannot be asked: ask again later.
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
