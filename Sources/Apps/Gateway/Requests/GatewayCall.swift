import NewsflashBasics
import NewsflashHTTPServer
import NotificationHubs

/// A decoded request.
enum GatewayCall: Sendable, Equatable {
    /// Issues an ID for the registration of a device; other registrations with its handle are removed.
    case newRegistration(handle: String?)
    case putRegistration(id: String)
    case deleteRegistration(id: String)
    case readInstallation(id: String)
    case putInstallation(id: String)
    case patchInstallation(id: String)
    case deleteInstallation(id: String)
    /// Sends a message from one user to another, on one platform.
    case notify(platform: NotificationPlatform, recipient: GatewayUser, isTest: Bool)
    /// Sends a message from a user to all his own devices.
    case notifySelf
    case publishEvent(source: String?)
    case readOutcome(event: String)
    case readNotification(token: String)

    /// The name of the action in the audit log.
    var action: String {
        switch self {
        case .newRegistration: "registration.create"
        case .putRegistration: "registration.put"
        case .deleteRegistration: "registration.delete"
        case .readInstallation: "installation.read"
        case .putInstallation: "installation.put"
        case .patchInstallation: "installation.patch"
        case .deleteInstallation: "installation.delete"
        case .notify(_, _, isTest: true): "notification.test"
        case .notify, .notifySelf: "notification.send"
        case .publishEvent: "event.publish"
        case .readOutcome: "event.read"
        case .readNotification: "notification.read"
        }
    }

    /// The subject for the audit log: an ID or a user, never a handle or a text.
    var subject: String? {
        switch self {
        case .putRegistration(let id), .deleteRegistration(let id), .readInstallation(let id),
            .putInstallation(let id), .patchInstallation(let id), .deleteInstallation(let id),
            .readOutcome(let id):
            id
        case .notify(_, let recipient, _): recipient.name
        // The ID or event of the first two is known only afterwards, and a token grants access to its notification.
        case .newRegistration, .publishEvent, .notifySelf, .readNotification: nil
        }
    }

    /// The allowed media types of the body.
    var body: BodyRule {
        switch self {
        case .putRegistration, .putInstallation, .notify: .required(["application/json"])
        case .patchInstallation: .required(["application/json", "application/json-patch+json"])
        case .publishEvent: .required(["application/json", "application/cloudevents+json"])
        case .notifySelf: .optional(["application/json"])
        case .newRegistration, .deleteRegistration, .readInstallation, .deleteInstallation, .readOutcome,
            .readNotification:
            .ignored
        }
    }

    /// The maximum size of the body in bytes.
    var maximumBodyBytes: Int {
        switch self {
        case .publishEvent: 256 << 10
        case .putInstallation, .patchInstallation: 64 << 10
        default: 16 << 10
        }
    }
}

/// Whether a request has a body, and its allowed media types.
enum BodyRule: Sendable, Equatable {
    case required(Set<String>)
    case optional(Set<String>)
    case ignored
}

/// The decoded target of a request. Ambiguous targets are refused.
struct GatewayTarget: Sendable, Equatable {
    /// The maximum size of a path in bytes.
    static let maximumPathLength = 1024
    /// The maximum size of a query in bytes; Windows handles have some hundred bytes.
    static let maximumQueryLength = 8192

    /// The decoded segments of the path; an empty one means consecutive slashes or a trailing slash.
    let segments: [String]
    private let query: [String: String]

    /// Decodes a target.
    ///
    /// - Parameters:
    ///   - path: The encoded path, with its leading slash.
    ///   - query: The encoded query, without the question mark.
    /// - Throws: ``GatewayRefusal`` for an invalid escape, a control character, a dot segment or a repeated name.
    init(path: String, query: String?) throws(GatewayRefusal) {
        guard path.utf8.count <= Self.maximumPathLength, (query?.utf8.count ?? 0) <= Self.maximumQueryLength else {
            throw GatewayRefusal(414, "target_too_long", "The address of the request is too long.")
        }
        guard path.utf8.first == UInt8(ascii: "/") else { throw Self.malformed }
        var segments: [String] = []
        for segment in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            let text = try Self.decoded(segment, isForm: false)
            // Other servers on the way may remove dot segments.
            guard text != ".", text != ".." else { throw Self.malformed }
            segments.append(text)
        }
        var values: [String: String] = [:]
        for pair in (query ?? "").split(separator: "&") {
            let name = try Self.decoded(pair.prefix { $0 != "=" }, isForm: true)
            let value = try Self.decoded(pair.drop { $0 != "=" }.dropFirst(), isForm: true)
            guard values.updateValue(value, forKey: name) == nil else {
                throw .malformed("query_twice", "A name is repeated in the query.")
            }
        }
        self.segments = segments
        self.query = values
    }

    /// The decoded value of a name in the query; empty if the name has no value.
    subscript(name: String) -> String? { query[name] }

    private static let malformed = GatewayRefusal.malformed("target", "The address of the request is invalid.")

    /// Decodes the escapes of a part.
    private static func decoded(_ part: Substring, isForm: Bool) throws(GatewayRefusal) -> String {
        let bytes = Array(part.utf8)
        for (place, byte) in bytes.enumerated() {
            guard byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "\\") else { throw malformed }
            guard byte == UInt8(ascii: "%") else { continue }
            let digits = bytes[(place + 1)...].prefix(2)
            guard digits.count == 2, digits.allSatisfy(\.isHexadecimalDigit) else { throw malformed }
        }
        let isBlank = isForm && bytes.contains(UInt8(ascii: "+"))
        let blanks = isBlank ? String(part).replacing("+", with: "%20") : String(part)
        guard let text = PercentEncoding.decode(blanks), text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw malformed
        }
        return text
    }
}
