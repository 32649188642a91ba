import NewsflashHTTPTransport
import NewsflashStrictJSON
public import NewsflashTimestamps
public import NotificationHubsCore

/// A notification for Apple's devices, with its headers.
///
/// ```swift
/// var alert = APNsPayload(title: "Dam gives way", body: "Villages are evacuated.")
/// alert.sound = "default"
/// alert.threadID = "story-17"
/// alert.collapseID = "story-17"
/// alert.interruptionLevel = "time-sensitive"
/// try await hub.send(alert.message(), to: .broadcast)
/// ```
///
/// The members are those of Apple's page on the payload
/// (https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification). The hub forwards the headers
/// only with token (p8) credentials.
public struct APNsPayload: Sendable, Equatable {
    /// The title, the subtitle and the text of the alert.
    public var title, subtitle, body: String?
    /// The name of the sound, for example `default`.
    public var sound: String?
    /// The number on the app's icon; zero removes it.
    public var badge: Int?
    /// Notifications with the same ID are shown as a group.
    public var threadID: String?
    /// The category of the notification, which determines its buttons.
    public var category: String?
    /// Whether the app's service extension may change the notification before it is shown: `mutable-content`.
    public var isMutable = false
    /// Whether the system wakes the app in the background: `content-available`. Without an alert, a sound and a badge this is a
    /// background push.
    public var isContentAvailable = false
    /// `passive`, `active`, `time-sensitive` or `critical`.
    public var interruptionLevel: String?
    /// The place in the system's summary: from 0 to 1. For a Live Activity any number.
    public var relevanceScore: Double?
    /// The priority: 10 for delivery at once, 5 with regard to the device's power, 1 to never wake the device. `nil` for 5 in a
    /// background push, otherwise for Apple's default.
    public var priority: Int?
    /// The push type, for example `alert` or `background`; `nil` for the one that fits the payload.
    public var pushType: String?
    /// A later notification with the same ID replaces an earlier one; at most 64 bytes.
    public var collapseID: String?
    /// When Apple may stop trying; the epoch for a single attempt.
    public var expiration: Timestamp?
    /// The topic, if it differs from the bundle ID of the hub's credential.
    public var topic: String?

    /// The members beside `aps`, by name.
    private var customMembers: [JSONMember] = []
    /// The members of a Live Activity in `aps`.
    private var activityMembers: [JSONMember] = []
    /// The suffix of the topic of a Live Activity.
    private static let activityTopic = ".push-type.liveactivity"

    /// Creates an alert, or an empty payload.
    ///
    /// - Parameters:
    ///   - title: The title of the alert.
    ///   - body: The text of the alert.
    public init(title: String? = nil, body: String? = nil) {
        self.title = title
        self.body = body
    }

    /// Sets a member of your own beside `aps`.
    ///
    /// ```swift
    /// var alert = APNsPayload(title: "Dam gives way")
    /// try alert.set("story", to: "story-17")
    /// try alert.set("pictures", to: [1, 2, 3])
    /// ```
    ///
    /// - Parameters:
    ///   - name: The member's name; not `aps`.
    ///   - value: The value; encoded with `JSONEncoder`.
    /// - Throws: ``HubValueError`` if the name is `aps`, or the value cannot be encoded.
    public mutating func set(_ name: String, to value: some Encodable) throws(HubValueError) {
        guard name != "aps" else { throw HubValueError(.messageInvalidBody, "aps is not a member of your own") }
        let value = try EncodedJSON.value(value)
        customMembers.removeAll { $0.name == name }
        customMembers.append(JSONMember(name: name, value: value))
    }

    /// Creates a push that starts a Live Activity (iOS 17.2), for the app's push-to-start token. Set ``title`` and ``body``,
    /// because a start must have an alert.
    ///
    /// A hub supports Live Activities only as direct sends (``HubAudience/device(_:)``); each activity has its own token.
    ///
    /// ```swift
    /// struct Match: Codable { var home, away: Int }
    /// struct Teams: Codable { var home, away: String }
    /// var start = try APNsPayload.liveActivityStart(
    ///     bundleID: "org.example.news",
    ///     attributesType: "MatchAttributes",
    ///     attributes: Teams(home: "Ajax", away: "Porto"),
    ///     state: Match(home: 0, away: 0),
    ///     at: .now()
    /// )
    /// start.title = "Ajax : Porto"
    /// start.body = "Kick-off"
    /// try await hub.send(start.message(), to: .device(.apns(deviceToken: token)))
    /// ```
    ///
    /// - Parameters:
    ///   - bundleID: The app's bundle ID; the topic has the suffix `.push-type.liveactivity`.
    ///   - attributesType: The name of the type of the app's `ActivityAttributes`.
    ///   - attributes: The attributes, as the app decodes them.
    ///   - state: The first state: the app's `ContentState`.
    ///   - time: The time of the state.
    ///   - staleAt: When the state becomes outdated.
    /// - Returns: The payload, with the priority 10.
    /// - Throws: ``HubValueError`` if a value cannot be encoded.
    public static func liveActivityStart(
        bundleID: String,
        attributesType: String,
        attributes: some Encodable,
        state: some Encodable,
        at time: Timestamp,
        staleAt: Timestamp? = nil
    ) throws(HubValueError) -> APNsPayload {
        var payload = try activity("start", bundleID, state, time, staleAt: staleAt)
        payload.activityMembers += [
            JSONMember(name: "attributes-type", value: .string(attributesType)),
            JSONMember(name: "attributes", value: try EncodedJSON.value(attributes)),
        ]
        return payload
    }

    /// Creates a push that updates a Live Activity.
    ///
    /// ```swift
    /// struct Match: Codable { var home, away: Int }
    /// let goal = try APNsPayload.liveActivityUpdate(bundleID: "org.example.news", state: Match(home: 1, away: 0), at: .now())
    /// try await hub.send(goal.message(), to: .device(.apns(deviceToken: token)))
    /// ```
    ///
    /// - Parameters:
    ///   - bundleID: The app's bundle ID.
    ///   - state: The new state: the app's `ContentState`.
    ///   - time: The time of the state; the system ignores an older one than it has.
    ///   - staleAt: When the state becomes outdated.
    /// - Returns: The payload, with the priority 10; set 5 for changes that subscribers need not notice, because Apple limits
    ///   the others.
    /// - Throws: ``HubValueError`` if the state cannot be encoded.
    public static func liveActivityUpdate(
        bundleID: String,
        state: some Encodable,
        at time: Timestamp,
        staleAt: Timestamp? = nil
    ) throws(HubValueError) -> APNsPayload {
        try activity("update", bundleID, state, time, staleAt: staleAt)
    }

    /// Creates a push that ends a Live Activity.
    ///
    /// - Parameters:
    ///   - bundleID: The app's bundle ID.
    ///   - state: The last state: the app's `ContentState`.
    ///   - time: The time of the state.
    ///   - dismissAt: When the system removes the activity from the lock screen; a time in the past for at once, `nil` for
    ///     Apple's default of four hours.
    /// - Returns: The payload, with the priority 10.
    /// - Throws: ``HubValueError`` if the state cannot be encoded.
    public static func liveActivityEnd(
        bundleID: String,
        state: some Encodable,
        at time: Timestamp,
        dismissAt: Timestamp? = nil
    ) throws(HubValueError) -> APNsPayload {
        var payload = try activity("end", bundleID, state, time, staleAt: nil)
        if let dismissAt {
            payload.activityMembers.append(JSONMember(name: "dismissal-date", value: .seconds(dismissAt)))
        }
        return payload
    }

    private static func activity(
        _ event: String,
        _ bundleID: String,
        _ state: some Encodable,
        _ time: Timestamp,
        staleAt: Timestamp?
    ) throws(HubValueError) -> APNsPayload {
        var payload = APNsPayload()
        payload.pushType = "liveactivity"
        payload.topic = bundleID + activityTopic
        payload.priority = 10
        payload.activityMembers = [
            JSONMember(name: "timestamp", value: .seconds(time)),
            JSONMember(name: "event", value: .string(event)),
            JSONMember(name: "content-state", value: try EncodedJSON.value(state)),
        ]
        if let staleAt { payload.activityMembers.append(JSONMember(name: "stale-date", value: .seconds(staleAt))) }
        return payload
    }

    /// Creates the message.
    ///
    /// - Returns: A native message for Apple.
    /// - Throws: ``HubValueError`` if a value is invalid, the payload exceeds 4096 bytes (5120 for the push type `voip`), or a
    ///   background push has another priority than 5.
    public func message() throws(HubValueError) -> HubMessage {
        try check()
        var writer = JSONWriter(reservingCapacity: 512)
        writer.beginObject()
        writer.name("aps")
        writer.value(.object(systemMembers))
        for member in customMembers {
            writer.name(member.name)
            writer.value(member.value)
        }
        writer.endObject()
        let limit = effectivePushType == "voip" ? 5120 : PushPlatform.apns.maximumPayloadBytes
        guard writer.bytes.count <= limit else {
            throw HubValueError(
                .messageTooLarge,
                "the payload has \(writer.bytes.count) bytes; Apple accepts at most \(limit)"
            )
        }
        let headers = try HTTPHeaders.apns(
            pushType: effectivePushType,
            priority: priority ?? (isBackground ? 5 : nil),
            expiration: expiration,
            collapseID: collapseID,
            topic: topic
        )
        return try HubMessage(rendered: writer.bytes, format: .apple, headers: headers)
    }

    private var hasAlert: Bool { title != nil || subtitle != nil || body != nil }
    private var isBackground: Bool {
        isContentAvailable && !hasAlert && sound == nil && badge == nil && activityMembers.isEmpty
    }
    private var effectivePushType: String { pushType ?? (isBackground ? "background" : "alert") }

    private func check() throws(HubValueError) {
        if let interruptionLevel, !["passive", "active", "time-sensitive", "critical"].contains(interruptionLevel) {
            throw HubValueError(
                .messageInvalidBody,
                "interruption-level must be passive, active, time-sensitive or critical"
            )
        }
        if let relevanceScore {
            guard relevanceScore.isFinite, !activityMembers.isEmpty || (0...1).contains(relevanceScore) else {
                throw HubValueError(.messageInvalidBody, "relevance-score must be from 0 to 1")
            }
        }
        if let badge, badge < 0 { throw HubValueError(.messageInvalidBody, "badge must not be negative") }
        if effectivePushType == "background", let priority, priority != 5 {
            throw HubValueError(.messageInvalidHeader, "apns-priority of a background push must be 5")
        }
        let isStart = activityMembers.contains { $0.name == "attributes-type" }
        if isStart, title == nil || body == nil {
            throw HubValueError(.messageInvalidBody, "the start of a Live Activity must have a title and a body")
        }
    }

    private var systemMembers: [JSONMember] {
        let alert = [("title", title), ("subtitle", subtitle), ("body", body)].compactMap { name, text in
            text.map { JSONMember(name: name, value: .string($0)) }
        }
        var members = activityMembers
        if !alert.isEmpty { members.append(JSONMember(name: "alert", value: .object(alert))) }
        let texts = [
            ("sound", sound), ("thread-id", threadID), ("category", category),
            ("interruption-level", interruptionLevel),
        ]
        for case (let name, let text?) in texts { members.append(JSONMember(name: name, value: .string(text))) }
        if let badge { members.append(JSONMember(name: "badge", value: .integer(Int64(badge)))) }
        if isMutable { members.append(JSONMember(name: "mutable-content", value: .integer(1))) }
        if isContentAvailable { members.append(JSONMember(name: "content-available", value: .integer(1))) }
        if let relevanceScore, let number = JSONNumber(String(relevanceScore)) {
            members.append(JSONMember(name: "relevance-score", value: .number(number)))
        }
        return members
    }
}

extension JSONValue {
    /// The JSON number of an integer.
    static func integer(_ number: Int64) -> JSONValue { .number(JSONNumber(number)) }

    /// A time in whole seconds since 1970.
    fileprivate static func seconds(_ time: Timestamp) -> JSONValue { .integer(time.seconds) }
}
