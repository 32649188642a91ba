import HTTPTransport
import NotificationHubs
import StrictJSON

/// A send with valid headers and body.
struct ReadSend {
    var kind: SendKind
    var isTest: Bool
    var format: PushFormat
    /// The tag expression; `nil` for a broadcast or a direct send.
    var expression: TagExpression?
    /// The handles of a direct or batch send.
    var handles: [String]
    /// The headers that are forwarded to the platforms.
    var headers: HTTPHeaders
    var body: [UInt8]
    /// The properties of a template notification.
    var properties: [NamedValue] = []
}

/// Validates sends as the service does; refuses them if the service's behaviour is unknown.
enum SendReader {
    static func read(
        _ request: EmulatedRequest,
        kind: SendKind,
        isTest: Bool,
        tier: HubTier
    ) throws(HubFailure) -> ReadSend {
        guard let formatText = request.headers["ServiceBusNotification-Format"] else {
            throw HubFailure(400, "The header ServiceBusNotification-Format is missing.")
        }
        guard let format = PushFormat(headerValue: formatText) else {
            throw HubFailure(400, "The notification format '\(formatText.prefix(40))' is not supported.")
        }
        var send = ReadSend(
            kind: kind,
            isTest: isTest,
            format: format,
            expression: nil,
            handles: [],
            headers: HTTPHeaders(request.headers.fields.filter { isForPlatforms($0.name) }),
            body: request.body
        )
        // The content type of a batch is checked with its parts.
        if kind != .batch { try check(contentType: request.headers["Content-Type"], format: format) }
        switch kind {
        case .tags: send.expression = try expression(request)
        case .direct: send.handles = [try handle(request)]
        case .batch:
            guard tier != .free else { throw .notInTier }
            let batch = try BatchBody(request)
            send.handles = batch.handles
            send.body = batch.notification
        }
        guard send.body.count <= HubMessage.maximumBytes else { throw .tooLarge }
        guard kind == .tags || format != .template else {
            throw HubFailure(400, "A direct send has no template registrations: it needs a native format.")
        }
        send.properties = try properties(send.body, format: format)
        return send
    }

    /// Checks the content type: according to the service's pages, a wrong one gets a 400. The response to a missing one is
    /// unknown; it is accepted here.
    private static func check(contentType: String?, format: PushFormat) throws(HubFailure) {
        guard let contentType else { return }
        let mediaType = contentType.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        let known = format.mediaTypes
        guard known.contains(mediaType) else {
            throw HubFailure(
                400,
                "The content type '\(mediaType.prefix(100))' is none of a message of the format \(format.rawValue): it "
                    + "has \(known.joined(separator: " or "))."
            )
        }
    }

    private static func expression(_ request: EmulatedRequest) throws(HubFailure) -> TagExpression? {
        guard let text = request.headers["ServiceBusNotification-Tags"] else { return nil }
        do throws(TagExpressionError) {
            return try TagExpression(parsing: text)
        } catch {
            switch error.code {
            case .invalidTag:
                throw .invalidTag(text)
            case .tooManyTags:
                throw HubFailure(
                    400,
                    "The tag expression has too many tags: it is limited to 20 tags if it contains only ORs (||), "
                        + "otherwise to 6."
                )
            default:
                throw HubFailure(400, "The tag expression is not valid: \(error.message), at byte \(error.offset).")
            }
        }
    }

    private static func handle(_ request: EmulatedRequest) throws(HubFailure) -> String {
        guard let handle = request.headers["ServiceBusNotification-DeviceHandle"], !handle.isEmpty else {
            throw HubFailure(400, "The header ServiceBusNotification-DeviceHandle is missing.")
        }
        return handle
    }

    /// Checks the body: JSON must be valid, and the values of a template notification must be strings. Other platform rules
    /// appear in the outcome.
    private static func properties(_ body: [UInt8], format: PushFormat) throws(HubFailure) -> [NamedValue] {
        guard !body.isEmpty else { throw .invalidPayload }
        guard format.isJSON else { return [] }
        guard let value = try? JSONReader.read(body) else { throw .invalidPayload }
        guard format == .template else { return [] }
        guard let members = value.object else { throw .invalidPayload }
        var properties: [NamedValue] = []
        properties.reserveCapacity(members.count)
        for member in members {
            guard let text = member.value.string else { throw .invalidPayload }
            properties.append(NamedValue(member.name, text))
        }
        return properties
    }

    private static func isForPlatforms(_ name: String) -> Bool {
        // A fast path: few header names begin with these letters.
        guard let first = name.utf8.first, "aAxXpPsS".utf8.contains(first) else { return false }
        let name = name.lowercased()
        return name.hasPrefix("apns-") || name.hasPrefix("x-wns-") || name.hasPrefix("x-baidu-")
            || ["x-apns-priority", "x-windowsphone-target", "x-notificationclass", "p256dh"].contains(name)
            || name == "servicebusnotification-apns-expiry"
    }
}

extension PushFormat {
    /// The media types used by the service's pages and the SDKs. .NET sends Baidu notifications as a form, raw Windows
    /// notifications can have any type, and XML has two names.
    fileprivate var mediaTypes: [String] {
        switch self {
        case .windows: ["application/xml", "text/xml", "application/octet-stream", "application/json"]
        case .windowsphone: ["application/xml", "text/xml"]
        case .baidu: ["application/json", "application/x-www-form-urlencoded"]
        case .template, .apple, .fcmv1, .gcm, .adm, .browser, .xiaomi: ["application/json"]
        }
    }
}
