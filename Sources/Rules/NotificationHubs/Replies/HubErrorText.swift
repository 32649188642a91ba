import NewsflashBasics
import NotificationHubsCore

/// The text of an error response, made safe to log.
///
/// The service responds with `<Error><Code>401</Code><Detail>text.TrackingId:guid_G19,TimeStamp:7/2/2020 6:33:21
/// PM</Detail></Error>`.
/// The responses of gateways and proxies have any form and may repeat our request. Therefore only text that cannot be news is
/// kept: ``HubPhrases``, numbers and the tracking ID. Decoding never fails; an unknown body only yields a poor text.
struct HubErrorText: Equatable {
    /// The maximum number of bytes searched.
    static let maximumBytes = 8192

    private(set) var detail = ""
    private(set) var trackingID: String?

    init() {}

    init(body: [UInt8]) {
        guard !body.isEmpty else { return }
        let bytes = Array(body.prefix(Self.maximumBytes))
        if let mark = bytes.firstRange(of: Array("TrackingId:".utf8)) {
            trackingID = Self.trackingID(bytes[mark.upperBound...])
        }
        let known = HubPhrases.known(in: bytes)
        if !known.isEmpty {
            detail = String(known.prefix(HubReply.maximumDetailLength))
        } else if trackingID == nil {
            detail =
                "\(body.count) bytes of \(Self.form(of: bytes)) without known phrases of the hub, not shown"
        }
    }

    /// A request ID of the service: characters of GUIDs and of gateway suffixes, at most 64.
    private static func trackingID(_ bytes: ArraySlice<UInt8>) -> String? {
        let id = bytes.prefix { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
            case UInt8(ascii: "A")...UInt8(ascii: "G"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }
        return id.isEmpty ? nil : String(decoding: id.prefix(64), as: UTF8.self)
    }

    /// The kind of the body; distinguishes a proxy's page from the service's response.
    private static func form(of bytes: [UInt8]) -> String {
        let start = bytes.drop { $0.isWhiteSpace }.prefix(14).map(\.lowercasedASCII)
        let isPage = ["<!doctype html", "<html"].contains { start.starts(with: $0.utf8) }
        return switch start.first {
        case UInt8(ascii: "<"): isPage ? "HTML" : "XML"
        case UInt8(ascii: "{"), UInt8(ascii: "["): "JSON"
        default: "text"
        }
    }

    /// Returns the words of an error response for the person who made the request, without credentials and handles.
    ///
    /// - Parameter body: A response of any size and form; the time needed is proportional to its size.
    /// - Returns: One line; of the service's XML only the text of `Detail`, without the parts that have their own members.
    static func words(in body: [UInt8]) -> String {
        var text = String(decoding: body.prefix(maximumBytes), as: UTF8.self)
        if let start = text.firstRange(of: "<Detail>")?.upperBound {
            text = String(text[start...])
            if let end = text.firstRange(of: "</Detail>")?.lowerBound { text = String(text[..<end]) }
        }
        for mark in [".TrackingId:", "TrackingId:"] {
            if let end = text.firstRange(of: mark)?.lowerBound { text = String(text[..<end]) }
        }
        return withoutHandles(safe(withoutMarkup(text)))
    }

    /// Removes the tags of XML and HTML, and resolves the five entities of XML.
    private static func withoutMarkup(_ text: String) -> String {
        var words = ""
        var isTag = false
        for character in text {
            switch character {
            case "<": isTag = true
            case ">" where isTag:
                isTag = false
                words.append(" ")
            case _ where isTag: continue
            default: words.append(character)
            }
        }
        guard words.contains("&") else { return words }
        for entity in entities { words = words.replacing(entity.name, with: entity.text) }
        return words
    }

    private static let entities: [(name: String, text: String)] = [
        ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&"),
    ]

    /// Redacts every word that may be a handle of a device or a token: at least 20 letters, digits and `_-:=+%~` in a row, among
    /// them two digits and a letter. GUIDs and times are not redacted.
    static func withoutHandles(_ text: String) -> String {
        var result = ""
        var word: [UInt8] = []
        func shown() -> String {
            let digits = word.count { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            // Times contain no other letters.
            let hasLetter = word.contains { $0.isLetter && $0 != UInt8(ascii: "T") && $0 != UInt8(ascii: "Z") }
            let isHandle = word.count >= 20 && digits >= 2 && hasLetter && !isGUID(word)
            return isHandle ? "<redacted>" : String(decoding: word, as: UTF8.self)
        }
        for byte in text.utf8 {
            if byte.isLetterOrDigit || "_-:=+%~".utf8.contains(byte) || byte >= 0x80 {
                word.append(byte)
            } else {
                result += shown()
                word = []
                result.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
        return result + shown()
    }

    /// Whether a word begins with a GUID, as tracking IDs do.
    private static func isGUID(_ word: [UInt8]) -> Bool {
        let parts = word.prefix(36).split(separator: UInt8(ascii: "-"))
        return word.count <= 44 && parts.map(\.count) == [8, 4, 4, 4, 12]
            && parts.allSatisfy { $0.allSatisfy(\.isHexadecimalDigit) }
    }

    /// Reduces a text to one line of limited length and redacts anything that looks like a credential.
    static func safe(_ text: String) -> String {
        var text = withoutUserInfo(text)
        for name in ["SharedAccessKey=", "sig=", "access_token="] { text = withoutValue(after: name, in: text) }
        var line = ""
        var needsBlank = false
        for character in text {
            if character.isWhitespace
                || character.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
            {
                needsBlank = !line.isEmpty
                continue
            }
            if needsBlank { line.append(" ") }
            needsBlank = false
            line.append(character)
        }
        return String(line.prefix(HubReply.maximumDetailLength))
    }

    /// Redacts a possible user and password of a URL: everything between `://` and the last `@` before the next `://`, because
    /// an
    /// unencoded password may contain any character.
    private static func withoutUserInfo(_ text: String) -> String {
        let parts = text.split(separator: "://", omittingEmptySubsequences: false)
        guard parts.count > 1 else { return text }
        let rest = parts.dropFirst().map { part in
            part.lastIndex(of: "@").map { "<redacted>" + part[$0...] } ?? String(part)
        }
        return ([String(parts[0])] + rest).joined(separator: "://")
    }

    private static func withoutValue(after name: String, in text: String) -> String {
        let wanted = name.lowercased().utf8
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.first {
            if rest.count >= wanted.count, zip(wanted, rest).allSatisfy({ $0 == $1.lowercasedASCII }) {
                result += rest.prefix(wanted.count)
                result += "<redacted>".utf8
                rest = rest.dropFirst(wanted.count).drop { "\"'".utf8.contains($0) }
                rest = rest.drop { !$0.isWhiteSpace && !"&;,<\"'".utf8.contains($0) }
            } else {
                result.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

/// The phrases that the service, gateways and proxies are known to use in error responses.
///
/// An error response may come from a proxy that repeats our request, including text of news. Therefore only these phrases,
/// numeric sub-codes and the tracking ID of a response body are logged.
enum HubPhrases {
    /// Returns the known phrases of a body, in order of occurrence, each once.
    ///
    /// - Parameter bytes: A body of any size and form; the time needed is proportional to its size.
    /// - Returns: One line; empty if no phrase is known.
    static func known(in bytes: [UInt8]) -> String {
        var found: [String] = []
        var rest = bytes[...]
        while let byte = rest.first, found.count < mostPhrases {
            guard let phrase = phrases[byte]?.first(where: { rest.starts(with: $0.utf8) }) else {
                rest = rest.dropFirst()
                continue
            }
            rest = rest.dropFirst(phrase.utf8.count)
            let text = phrase == subCode ? code(in: &rest) : phrase
            if let text, !found.contains(text) { found.append(text) }
        }
        return found.joined(separator: " ")
    }

    /// The maximum number of phrases returned; more than any real response contains.
    private static let mostPhrases = 8
    private static let subCode = "SubCode="

    /// Decodes a sub-code of up to five digits after its mark.
    private static func code(in bytes: inout ArraySlice<UInt8>) -> String? {
        let digits = bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.prefix(5)
        bytes = bytes.dropFirst(digits.count)
        return digits.isEmpty ? nil : subCode + String(decoding: digits, as: UTF8.self)
    }

    /// The phrases by first byte, longer ones first.
    private static let phrases = Dictionary(grouping: service + tokens + gateways, by: { $0.utf8.first ?? 0 })
        .mapValues { $0.sorted { $0.utf8.count > $1.utf8.count } }

    /// Phrases of the service, without the parts that repeat a request.
    private static let service = [
        "A direct send has no template registrations: it needs a native format.",
        "A notification can be scheduled at most 7 days ahead.",
        "An invalid tag",
        "Azure Notifications Hub Server Busy",
        "Cannot use specified location. Use a different registration ID",
        "Could not find a part of the multipart content supplied.",
        "Installation not found",
        "Manage claim is required for this operation.",
        "No service is hosted at the specified address.",
        "Registration Tags serialized size is more than maximum supported value.",
        subCode,
        "The ETag of the registration is another than that in If-Match.",
        "The Notification payload is invalid",
        "The emulator was told to answer",
        "The header ServiceBusNotification-DeviceHandle is missing.",
        "The header ServiceBusNotification-Format is missing.",
        "The header ServiceBusNotification-ScheduleTime is missing.",
        "The notification format",
        "The notification id is malformed.",
        "The quota of",
        "The request entity is too large: a message has at most 65536 bytes.",
        "The request is not valid.",
        "The request was throttled.",
        "The server is busy. Please retry the operation.",
        "The server was unable to process the request; please retry the operation.",
        "The specified HTTP method is not supported on this resource.",
        "The supplied notification payload is invalid.",
        "The supplied notificationhub job payload is invalid",
        "The tag expression is not valid",
        "This operation is not available for your tier",
        "This operation needs api-version",
    ]

    /// The service's names of faults of a token or an address.
    private static let tokens = [
        "AudienceNotFound", "EndpointNotFound", "ExpiredToken", "ExpiresOnNotFound",
        "InvalidAudience: The authorization header was made for another resource.", "InvalidAudience",
        "InvalidDestination", "Invalid authorization token signature",
        "InvalidSignature: The token has an invalid signature.", "InvalidSignature", "IssuerNotFound",
        "MalformedToken: The credentials contained in the authorization header are not in the WRAP format.",
        "MalformedToken", "MissingToken: The authorization header was not found.", "MissingToken", "NamespaceNotFound",
        "NoTransportSecurity", "OperationInProgress", "ResourceNotFound", "ServerBusy", "SignatureNotFound",
    ]

    /// Phrases of proxies, gateways and firewalls.
    private static let gateways = [
        "400 Bad Request", "401 Authorization Required", "403 Forbidden", "404 Not Found", "405 Not Allowed",
        "407 Proxy Authentication Required", "408 Request Time-out", "411 Length Required",
        "413 Request Entity Too Large", "414 Request-URI Too Large", "429 Too Many Requests",
        "431 Request Header Fields Too Large", "500 Internal Server Error", "502 Bad Gateway", "502 Proxy Error",
        "503 Service Temporarily Unavailable", "503 Service Unavailable", "504 Gateway Time-out", "504 Gateway Timeout",
        "Azure Firewall", "Azure Front Door", "Blocked by Web Application Firewall",
        "Microsoft-Azure-Application-Gateway",
        "Our services aren't available right now", "Web Application Firewall", "nginx", "no healthy upstream",
        "upstream connect error", "upstream request timeout",
    ]
}
