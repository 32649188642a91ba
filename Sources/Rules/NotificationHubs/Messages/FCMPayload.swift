import NewsflashStrictJSON
public import NotificationHubsCore

/// A message for Firebase Cloud Messaging, HTTP version 1.
///
/// ```swift
/// var news = FCMPayload(title: "Dam gives way", body: "Villages are evacuated.")
/// news.data = ["story": "story-17"]
/// news.priority = "high"
/// news.channelID = "breaking"
/// news.collapseKey = "story-17"
/// try await hub.send(news.message(), to: .broadcast)
/// ```
///
/// The members are those of Firebase's page
/// (https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages). The hub fills in the device.
public struct FCMPayload: Sendable, Equatable {
    /// The title and the text of the notification.
    public var title, body: String?
    /// The URL of a picture in the notification.
    public var imageURL: String?
    /// Values for the app. Without a title and a body the app gets these alone and shows nothing by itself.
    public var data: [String: String] = [:]
    /// `high` or `normal`: whether Android wakes the device.
    public var priority: String?
    /// How long Firebase keeps the message for a device that is offline: at most four weeks, in whole seconds. Zero for one
    /// attempt.
    public var timeToLive: Duration?
    /// A later message with the same key replaces an earlier one that is not yet delivered.
    public var collapseKey: String?
    /// A later notification with the same tag replaces an earlier one on the device.
    public var tag: String?
    /// The app's notification channel.
    public var channelID: String?
    /// The number on the app's icon.
    public var notificationCount: Int?
    /// The visibility on the lock screen: `private`, `public` or `secret`.
    public var visibility: String?
    /// The label of the message in Firebase's reports: `fcm_options.analytics_label`.
    public var analyticsLabel: String?

    /// Creates a notification, or an empty message.
    ///
    /// - Parameters:
    ///   - title: The title of the notification.
    ///   - body: The text of the notification.
    public init(title: String? = nil, body: String? = nil) {
        self.title = title
        self.body = body
    }

    /// Creates the message.
    ///
    /// - Returns: A native message for Firebase.
    /// - Throws: ``HubValueError`` if a value is invalid, or the payload exceeds 4096 bytes.
    public func message() throws(HubValueError) -> HubMessage {
        try check()
        let notification = Self.texts([("title", title), ("body", body), ("image", imageURL)])
        let values = data.sorted { $0.key < $1.key }.map { JSONMember(name: $0.key, value: .string($0.value)) }
        let options = Self.texts([("analytics_label", analyticsLabel)])
        let parts = [
            ("notification", notification), ("data", values), ("android", androidMembers), ("fcm_options", options),
        ]
        let members = parts.filter { !$0.1.isEmpty }.map { JSONMember(name: $0.0, value: .object($0.1)) }
        var writer = JSONWriter(reservingCapacity: 512)
        writer.value(.object([JSONMember(name: "message", value: .object(members))]))
        let limit = PushPlatform.fcmv1.maximumPayloadBytes
        guard writer.bytes.count <= limit else {
            throw HubValueError(
                .messageTooLarge,
                "the payload has \(writer.bytes.count) bytes; Firebase accepts at most \(limit)"
            )
        }
        return try HubMessage.native(format: .fcmv1, body: writer.bytes)
    }

    private var androidMembers: [JSONMember] {
        var members = Self.texts([("collapse_key", collapseKey), ("priority", priority)])
        if let timeToLive {
            members.append(JSONMember(name: "ttl", value: .string("\(timeToLive.components.seconds)s")))
        }
        var notification = Self.texts([
            ("channel_id", channelID), ("tag", tag), ("visibility", visibility?.uppercased()),
        ])
        if let notificationCount {
            notification.append(JSONMember(name: "notification_count", value: .integer(Int64(notificationCount))))
        }
        if !notification.isEmpty { members.append(JSONMember(name: "notification", value: .object(notification))) }
        return members
    }

    private func check() throws(HubValueError) {
        if let priority, !["high", "normal"].contains(priority) {
            throw HubValueError(.messageInvalidBody, "android.priority must be high or normal")
        }
        if let visibility, !["private", "public", "secret"].contains(visibility) {
            throw HubValueError(.messageInvalidBody, "visibility must be private, public or secret")
        }
        if let timeToLive, !(.zero...Duration.seconds(4 * 7 * 86_400)).contains(timeToLive) {
            throw HubValueError(.messageInvalidBody, "ttl must be between 0 and 4 weeks")
        }
        if let notificationCount, notificationCount < 0 {
            throw HubValueError(.messageInvalidBody, "notification_count must not be negative")
        }
        // Source: https://firebase.google.com/docs/cloud-messaging/concept-options#data_messages
        let reserved = data.keys.first { name in
            ["from", "message_type"].contains(name) || name.hasPrefix("google") || name.hasPrefix("gcm")
        }
        if let reserved {
            throw HubValueError(.messageInvalidBody, "Firebase reserves the name \(reserved.prefix(64)) in data")
        }
    }

    private static func texts(_ members: [(String, String?)]) -> [JSONMember] {
        members.compactMap { name, text in text.map { JSONMember(name: name, value: .string($0)) } }
    }
}
