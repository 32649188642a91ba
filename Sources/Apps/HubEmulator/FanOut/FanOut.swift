import NewsflashHTTPTransport
import NewsflashTimestamps
import NotificationHubs

/// The fan-out of one send to its registrations. It runs in portions, so that a large one delays nobody.
struct FanOut {
    /// The notification to send.
    struct Message {
        /// The send's sequence number.
        var sequence: Int64
        /// The hub's id of the notification.
        var id: String
        var format: PushFormat
        /// The tag expression; `nil` for a broadcast.
        var expression: TagExpression?
        var headers: HTTPHeaders
        var body: [UInt8]
        /// The properties of a template notification.
        var properties: [NamedValue]
    }

    /// A target with its delivery.
    struct Target {
        var delivery: Delivery
        /// Telemetry counts templates and native registrations separately.
        var isTemplate: Bool
    }

    /// The rendering limit in bytes, above every platform's limit; a larger notification is truncated to it.
    private static let mostRendered = 8192

    /// The maximum number of missing properties that a delivery names; a template of 64 KB can use thousands.
    private static let mostMissing = 20

    private struct Rendered {
        var notification: PlatformNotification
        var outcome: DeliveryOutcome
    }

    /// The time after which the service abandons a notification whose targets are not all found, by default.
    ///
    /// Source: https://learn.microsoft.com/rest/api/notificationhubs/get-notification-message-telemetry
    static let patience = Duration.seconds(30 * 60)

    let message: Message
    private let values: TemplateValues
    /// The hub's name in lower case.
    let hub: String
    /// The time at which it could start; half an hour later it is abandoned.
    var enqueued: Timestamp
    /// Whether it was scheduled, and so may be stored.
    var isScheduled = false
    /// Whether the first portion determined the registrations to check.
    private var hasBegun = false
    /// The registrations to check; `nil` for all.
    private var candidates: [UInt32]?
    private var position = 0
    /// Rendered templates. They keep their templates, so that no other one gets the same identity.
    private var renderedByTemplate: [ObjectIdentifier: (template: CompiledTemplate, made: Rendered)] = [:]
    private var renderedNative: Rendered?
    /// Handles with several registrations that already received the native notification.
    private var handles: Set<String> = []

    init(_ message: Message, hub: String, enqueued: Timestamp) {
        self.message = message
        self.values = TemplateValues(message.properties)
        self.hub = hub
        self.enqueued = enqueued
    }

    /// Whether the time limit has passed.
    func isOverdue(at now: Timestamp) -> Bool { enqueued + Self.patience <= now }

    /// Processes the next candidates.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of candidates to check.
    ///   - registry: The registry in its current state, including changes since the last portion.
    ///   - now: The current time.
    ///   - deliver: Called with each target.
    /// - Returns: Whether all candidates have been processed.
    mutating func advance(
        limit: Int,
        registry: DeviceRegistry,
        now: Timestamp,
        deliver: (Target) -> Void
    ) -> Bool {
        let query = TargetQuery(message.expression, in: registry)
        if !hasBegun { candidates = query.candidates }
        hasBegun = true
        let end = candidates?.count ?? registry.records.count
        let stop = min(end, position + limit)
        while position < stop {
            let slot = candidates?[position] ?? UInt32(position)
            position += 1
            guard let record = registry[slot], isMeant(record, now: now), query.matches(slot) else { continue }
            deliver(target(for: record, registry: registry, now: now))
        }
        return position >= end
    }

    /// Returns all matching slots without delivering anything; a test send picks some of them.
    func matchingSlots(in registry: DeviceRegistry, now: Timestamp) -> [UInt32] {
        let query = TargetQuery(message.expression, in: registry)
        return (query.candidates ?? Array(0..<UInt32(registry.records.count))).filter { slot in
            guard let record = registry[slot] else { return false }
            return isMeant(record, now: now) && query.matches(slot)
        }
    }

    private func isMeant(_ record: DeviceRecord, now: Timestamp) -> Bool {
        guard !record.isExpired(at: now) else { return false }
        guard message.format != .template else { return record.template != nil }
        return record.template == nil && record.channel.platform.format == message.format
    }

    /// Creates the delivery for one registration.
    mutating func target(for record: DeviceRecord, registry: DeviceRegistry, now: Timestamp) -> Target {
        var made =
            if let template = record.template {
                rendered(template, for: record, now: now)
            } else {
                native(record.channel.platform, now: now)
            }
        if record.template == nil, registry.slots(ofHandle: record.channel.handle).count > 1,
            !handles.insert(record.channel.handle).inserted
        {
            made.outcome = .skipped
        }
        let delivery = Delivery(
            send: message.sequence,
            notificationID: message.id,
            hub: hub,
            time: now,
            registration: record.name,
            installationID: registry.installationID(of: record),
            platform: record.channel.platform,
            handle: record.channel.handle,
            template: record.template?.description.name,
            outcome: made.outcome.unless(registry.firebase.isReplaced(record.channel)),
            deviceWarning: registry.firebase.warning(about: record.channel),
            notification: made.notification
        )
        return Target(delivery: delivery, isTemplate: record.template != nil)
    }

    private mutating func rendered(_ shared: CompiledTemplate, for record: DeviceRecord, now: Timestamp) -> Rendered {
        let (template, platform) = (shared.template, record.channel.platform)
        let hasVariables = template.reads(any: record.pushVariables)
        if !hasVariables, let known = renderedByTemplate[ObjectIdentifier(shared)] { return known.made }
        let values = hasVariables ? self.values.with(pushVariables: record.pushVariables) : self.values
        let rendered = template.render(values, maximumBytes: Self.mostRendered)
        let headers = DeliveryHeaders.joined(
            sent: message.headers,
            template: rendered.headers,
            expiry: rendered.expiry,
            priority: rendered.priority,
            platform: platform
        )
        let notification = PlatformNotification(
            headers: headers,
            body: rendered.body,
            platform: platform,
            cutAt: rendered.isWhole ? nil : Self.mostRendered,
            warnings: template.warnings
                + Self.warnings(template, named: shared.description.name, without: values)
        )
        let made = Rendered(
            notification: notification,
            outcome: Self.outcome(of: notification, for: platform, now: now)
        )
        // Without variables of the device, the result is the same on every device with the template.
        if !hasVariables { renderedByTemplate[ObjectIdentifier(shared)] = (shared, made) }
        return made
    }

    /// Warnings about properties that the template uses without a default and that neither message nor device has.
    private static func warnings(
        _ template: NotificationTemplate,
        named name: String?,
        without values: TemplateValues
    ) -> [String] {
        let missing = template.requiredProperties.filter { values[$0] == nil }.sorted()
        let shown = name.map { "the template '\($0)'" } ?? "the template without a name"
        return missing.prefix(mostMissing).map { property in
            "the message has no property '\(property)': the part of \(shown) that uses it is empty"
        }
    }

    private mutating func native(_ platform: PushPlatform, now: Timestamp) -> Rendered {
        if let renderedNative { return renderedNative }
        let headers = DeliveryHeaders.joined(sent: message.headers, platform: platform)
        let notification = PlatformNotification(headers: headers, body: message.body, platform: platform)
        let made = Rendered(
            notification: notification,
            outcome: Self.outcome(of: notification, for: platform, now: now)
        )
        renderedNative = made
        return made
    }

    /// Predicts the response of the push service, regardless of the device.
    static func outcome(of notification: PlatformNotification, for platform: PushPlatform, now: Timestamp)
        -> DeliveryOutcome
    {
        if let fault = notification.fault { return DeliveryOutcome(rawValue: fault.kind.rawValue) }
        // Apple's service would accept a notification that has already expired, but deliver it to nobody.
        if platform == .apns,
            let expiration = notification.headers.first(where: { $0.name == "apns-expiration" })?.value,
            let seconds = Int64(expiration), seconds > 0, seconds <= now.seconds
        {
            return .dropped
        }
        return .success
    }
}
