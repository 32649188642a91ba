package import NotificationHubs

/// Finds the notification that a device fetches after a secure push.
///
/// The push contains only a token. The text stays in this server and is returned only to users in the event's audience.
package protocol SecureNotifications: Sendable {
    /// Finds a notification.
    ///
    /// - Parameters:
    ///   - token: The token from the push.
    ///   - reader: The requesting user. A user outside the audience gets ``SecureNotification/notFound``.
    ///   - languages: The user's languages, the preferred first; may be empty.
    /// - Returns: The notification's text, or the reason why it is not available.
    func notification(_ token: String, for reader: SecureReader, languages: [String]) async -> SecureNotification

    /// Whether everything needed to find notifications has been read.
    var isReady: Bool { get }

    /// Waits until ``isReady`` is true for the first time.
    ///
    /// - Returns: `false` if the task was cancelled before.
    func waitUntilReady() async -> Bool
}

extension SecureNotifications {
    package var isReady: Bool { true }

    package func waitUntilReady() async -> Bool { true }
}

/// A user who requests the text of a secure push.
package struct SecureReader: Sendable {
    /// The name of the signed-in user.
    package let name: String
    /// Returns the tags of each of the user's devices from the hub.
    package let devices: @Sendable () async throws(GatewayRefusal) -> [[Tag]]

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - name: The name of the signed-in user.
    ///   - devices: Returns the tags of each of the user's devices.
    package init(name: String, devices: @escaping @Sendable () async throws(GatewayRefusal) -> [[Tag]]) {
        self.name = name
        self.devices = devices
    }
}

/// The result of a search for a secure notification.
package enum SecureNotification: Sendable, Equatable {
    /// The text; the user was in the audience.
    case found(SecureText)
    /// No text for this user: the token is unknown, the user was not in the audience, or nothing was sent. The response does
    /// not show which.
    case notFound
    /// The text was withdrawn by the newsroom.
    case withdrawn
    /// The texts are still being read, the outcome is not known yet, or the hub cannot be queried: the device should retry.
    case unavailable
}

/// The text of a secure notification, in the best language for the user.
package struct SecureText: Sendable, Equatable {
    /// The token from the push.
    package var id: String
    /// The ID of the story, shared by all its revisions.
    package var story: String
    /// The editorial act, such as `alert` or `correction`.
    package var kind: String
    /// The language of the text.
    package var locale: String
    /// The headline: one line.
    package var headline: String
    /// The summary: some lines.
    package var summary: String?
    /// The URL of the story.
    package var url: String?
    /// The URL of an image.
    package var image: String?
    /// When the newsroom published the event, in the format of RFC 3339.
    package var published: String

    /// Creates a text.
    ///
    /// - Parameters:
    ///   - id: The token from the push.
    ///   - story: The ID of the story, shared by all its revisions.
    ///   - kind: The editorial act.
    ///   - locale: The language of the text.
    ///   - headline: The headline: one line.
    ///   - summary: The summary: some lines.
    ///   - url: The URL of the story.
    ///   - image: The URL of an image.
    ///   - published: When the newsroom published the event, in the format of RFC 3339.
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
