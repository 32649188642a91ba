import NewsflashHTTPTransport
import NewsflashStrictJSON
import NotificationHubs

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
        try check(handles: send.handles, of: kind, format: format, headers: send.headers)
        return send
    }

    /// Checks the handles of a direct send or a batch by the rules for registrations. A batch has no keys of browsers.
    private static func check(
        handles: [String],
        of kind: SendKind,
        format: PushFormat,
        headers: HTTPHeaders
    ) throws(HubFailure) {
        let (publicKey, secret) = (headers["P256DH"] ?? "", headers["Auth"] ?? "")
        if format == .browser, kind == .direct, publicKey.isEmpty || secret.isEmpty {
            throw HubFailure(400, "A direct send to a browser must have the headers P256DH and Auth.")
        }
        for (index, handle) in handles.enumerated() {
            let channel: PushChannel? =
                switch format {
                case .apple: .apns(deviceToken: handle)
                case .fcmv1: .fcmv1(registrationID: handle)
                case .gcm: .gcm(registrationID: handle)
                case .windows: .wns(uri: handle)
                case .windowsphone: .mpns(uri: handle)
                case .adm: .adm(registrationID: handle)
                case .xiaomi: .xiaomi(registrationID: handle)
                case .browser:
                    .browser(
                        endpoint: handle,
                        p256dh: kind == .batch ? "-" : publicKey,
                        auth: kind == .batch ? "-" : secret
                    )
                default: nil
                }
            do throws(HubValueError) {
                _ = try channel?.checked(at: "")
            } catch {
                let place = kind == .batch ? "handle \(index + 1) of the batch" : "ServiceBusNotification-DeviceHandle"
                throw HubFailure(
                    400,
                    error.message,
                    reason: "\(place) is not a handle of the format \(format.rawValue): \(error.message)"
                )
            }
        }
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
        do throws(HubValueError) {
            return try TagExpression(parsing: text)
        } catch {
            switch error.code {
            case .expressionInvalidTag:
                throw .invalidTag(text)
            case .expressionTooManyTags:
                throw HubFailure(
                    400,
                    "The tag expression has too many tags: it is limited to 20 tags if it contains only ORs (||), "
                        + "otherwise to 6."
                )
            default:
                throw HubFailure(
                    400,
                    "The tag expression is not valid: \(error.message), at byte \(error.offset ?? 0)."
                )
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
    static func properties(_ body: [UInt8], format: PushFormat) throws(HubFailure) -> [NamedValue] {
        guard !body.isEmpty else { throw .invalidPayload("the body is empty") }
        guard format.isJSON else { return [] }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(body)
        } catch {
            throw .invalidPayload("the body is not valid JSON: \(error.message) at byte \(error.offset)")
        }
        guard format == .template else { return [] }
        guard let members = value.object else {
            throw .invalidPayload("the body of a template message must be a JSON object with its properties")
        }
        var properties: [NamedValue] = []
        properties.reserveCapacity(members.count)
        for member in members {
            guard let text = member.value.string else {
                throw .invalidPayload("the value of the property '\(member.name.prefix(100))' must be a string")
            }
            properties.append(NamedValue(member.name, text))
        }
        return properties
    }

    private static func isForPlatforms(_ name: String) -> Bool {
        // A fast path: few header names begin with these letters.
        guard let first = name.utf8.first, "aAxXpPsS".utf8.contains(first) else { return false }
        let name = name.lowercased()
        return name.hasPrefix("apns-") || name.hasPrefix("x-wns-") || name.hasPrefix("x-baidu-")
            || ["x-apns-priority", "x-windowsphone-target", "x-notificationclass", "p256dh", "auth"].contains(name)
            || name == "servicebusnotification-apns-expiry"
    }
}

extension PushFormat {
    /// The media types that are accepted.
    fileprivate var mediaTypes: [String] { facts?.mediaTypes ?? ["application/json"] }
}

/// The two parts of a batch direct send (`multipart/mixed`, RFC 2046).
struct BatchBody {
    let notification: [UInt8]
    let handles: [String]

    init(_ request: EmulatedRequest) throws(HubFailure) {
        guard let boundary = Self.boundary(request.headers["Content-Type"] ?? "") else {
            throw .noMultipart("the Content-Type has no boundary: write multipart/mixed; boundary=…")
        }
        let parts = Self.parts(request.body, boundary: boundary)
        guard let notification = parts["notification"], let devices = parts["devices"] else {
            let missing = ["notification", "devices"].filter { parts[$0] == nil }
            throw .noMultipart(
                "no part between the boundaries has the Content-Disposition inline; name=\(missing.joined(separator: " or "))"
            )
        }
        self.notification = Array(notification)
        self.handles = try Self.handles(Array(devices))
    }

    /// Finds the boundary. JavaScript writes spaces around the `=`; quotes are optional.
    private static func boundary(_ contentType: String) -> String? {
        for parameter in contentType.split(separator: ";").dropFirst() {
            guard let equals = parameter.firstIndex(of: "="),
                parameter[..<equals].trimmed.lowercased() == "boundary"
            else { continue }
            let value = parameter[parameter.index(after: equals)...].trimmed.filter { $0 != "\"" }
            return value.isEmpty ? nil : String(value)
        }
        return nil
    }

    /// Returns the bodies of the parts by the name in their `Content-Disposition`.
    private static func parts(_ body: [UInt8], boundary: String) -> [String: ArraySlice<UInt8>] {
        let mark = Array("--\(boundary)".utf8)
        var parts: [String: ArraySlice<UInt8>] = [:]
        var marks: [Int] = []
        var index = 0
        while index + mark.count <= body.count {
            // Only at the beginning of a line (section 5.1.1), so that each byte is compared at most twice.
            if body[index...].starts(with: mark) { marks.append(index) }
            guard let end = body[index...].firstIndex(of: UInt8(ascii: "\n")) else { break }
            index = end + 1
        }
        for (start, end) in zip(marks, marks.dropFirst()) {
            let part = body[(start + mark.count)..<end]
            guard let (head, content) = split(part), let name = name(inHead: head) else { continue }
            parts[name] = content
        }
        return parts
    }

    /// Splits a part into head and content at the first empty line. The line break before the next boundary is not content.
    private static func split(_ part: ArraySlice<UInt8>) -> (head: String, content: ArraySlice<UInt8>)? {
        for separator in [Array("\r\n\r\n".utf8), Array("\n\n".utf8)] {
            guard let start = part.indices.first(where: { part[$0...].starts(with: separator) }) else { continue }
            var content = part[(start + separator.count)...]
            if content.last == UInt8(ascii: "\n") { content = content.dropLast() }
            if content.last == UInt8(ascii: "\r") { content = content.dropLast() }
            return (String(decoding: part[..<start], as: UTF8.self), content)
        }
        return nil
    }

    private static func name(inHead head: String) -> String? {
        for line in head.split(whereSeparator: \.isNewline) where line.lowercased().hasPrefix("content-disposition:") {
            for parameter in line.split(separator: ";") {
                let pair = parameter.split(separator: "=", maxSplits: 1)
                guard pair.count == 2, pair[0].trimmed.lowercased() == "name" else { continue }
                return pair[1].trimmed.filter { $0 != "\"" }.lowercased()
            }
        }
        return nil
    }

    private static func handles(_ devices: [UInt8]) throws(HubFailure) -> [String] {
        var list = try? JSONReader.read(devices)
        if list == nil {
            // The sample on the service's own page has single quotes.
            list = try? JSONReader.read(devices.map { $0 == UInt8(ascii: "'") ? UInt8(ascii: "\"") : $0 })
        }
        guard let elements = list?.array else {
            throw .noMultipart("the part 'devices' must be a JSON array of handles")
        }
        let handles = elements.compactMap(\.string)
        guard handles.count == elements.count, (1...DeviceBatch.maximumHandles).contains(handles.count),
            !handles.contains(where: \.isEmpty)
        else { throw HubFailure(400, "A batch has 1 to \(DeviceBatch.maximumHandles) device handles.") }
        return handles
    }
}
