import NewsflashBasics
import NotificationHubs

/// The table of paths and methods.
enum GatewayRoutes {
    private struct Route {
        /// The segment after `api`.
        let name: String
        /// Whether an ID follows.
        let hasID: Bool
        let methods: [(name: String, call: @Sendable (GatewayTarget) throws(GatewayRefusal) -> GatewayCall)]
    }

    private static let all: [Route] = [
        Route(
            name: "register",
            hasID: false,
            methods: [
                ("POST", { (target) throws(GatewayRefusal) in .newRegistration(handle: try handle(target)) })
            ]
        ),
        Route(
            name: "register",
            hasID: true,
            methods: [
                ("PUT", { (target) throws(GatewayRefusal) in .putRegistration(id: try registrationID(target)) }),
                ("DELETE", { (target) throws(GatewayRefusal) in .deleteRegistration(id: try registrationID(target)) }),
            ]
        ),
        Route(
            name: "installations",
            hasID: true,
            methods: [
                ("GET", { (target) throws(GatewayRefusal) in .readInstallation(id: try installationID(target)) }),
                ("PUT", { (target) throws(GatewayRefusal) in .putInstallation(id: try installationID(target)) }),
                ("PATCH", { (target) throws(GatewayRefusal) in .patchInstallation(id: try installationID(target)) }),
                ("DELETE", { (target) throws(GatewayRefusal) in .deleteInstallation(id: try installationID(target)) }),
            ]
        ),
        Route(
            name: "notifications",
            hasID: false,
            methods: [
                ("POST", { (target) throws(GatewayRefusal) in try notification(target) })
            ]
        ),
        Route(
            name: "notifications",
            hasID: true,
            methods: [
                (
                    "GET",
                    { (target) throws(GatewayRefusal) in
                        .readNotification(token: try id(target, allows: \.isVisible, upTo: 256))
                    }
                )
            ]
        ),
        Route(
            name: "events",
            hasID: false,
            methods: [
                ("POST", { (target) throws(GatewayRefusal) in .publishEvent(source: target["source"]) })
            ]
        ),
        Route(
            name: "events",
            hasID: true,
            methods: [
                (
                    "GET",
                    { (target) throws(GatewayRefusal) in
                        .readOutcome(event: try id(target, allows: \.isVisible, upTo: 128))
                    }
                )
            ]
        ),
    ]

    /// Finds the call for a request.
    ///
    /// - Parameters:
    ///   - method: The method; case-sensitive, as in HTTP.
    ///   - target: The decoded target.
    /// - Returns: The call with checked IDs.
    /// - Throws: ``GatewayRefusal``: 404 for an unknown path, 405 for an unknown method, 400 for an invalid ID.
    static func call(method: String, target: GatewayTarget) throws(GatewayRefusal) -> GatewayCall {
        guard let route = route(of: target) else { throw .notFound }
        guard let found = route.methods.first(where: { $0.name == method }) else {
            let list = route.methods.map(\.name).joined(separator: ", ")
            throw GatewayRefusal(405, "method", "This address supports only \(list).", allow: list)
        }
        return try found.call(target)
    }

    /// Returns the methods of a path, for a browser's CORS preflight request; `nil` for an unknown path.
    static func methods(of target: GatewayTarget) -> [String]? { route(of: target)?.methods.map(\.name) }

    private static func route(of target: GatewayTarget) -> Route? {
        guard (2...3).contains(target.segments.count), target.segments[0] == "api" else { return nil }
        return all.first { $0.name == target.segments[1] && $0.hasID == (target.segments.count == 3) }
    }

    private static func registrationID(_ target: GatewayTarget) throws(GatewayRefusal) -> String {
        try id(target, allows: \.isRegistrationIDCharacter, upTo: 64)
    }

    private static func installationID(_ target: GatewayTarget) throws(GatewayRefusal) -> String {
        try id(target, allows: \.isInstallationIDCharacter, upTo: 100)
    }

    private static func id(
        _ target: GatewayTarget,
        allows: (UInt8) -> Bool,
        upTo limit: Int
    ) throws(GatewayRefusal) -> String {
        let text = target.segments[2]
        // Consecutive slashes or a trailing slash are not an ID.
        guard !text.isEmpty else { throw .notFound }
        guard text.utf8.count <= limit, text.utf8.allSatisfy(allows) else {
            throw .malformed("id", "The ID in the address is invalid.")
        }
        return text
    }

    /// Checks a handle. Its platform is not known, so only characters that no platform uses are refused.
    private static func handle(_ target: GatewayTarget) throws(GatewayRefusal) -> String? {
        guard let handle = target["handle"], !handle.isEmpty else { return nil }
        guard handle.utf8.count <= DeviceHandleRule.maximumLength, handle.utf8.allSatisfy(\.isHandleCharacter) else {
            throw .malformed("handle", "The handle in the query is invalid.")
        }
        return handle
    }

    private static func notification(_ target: GatewayTarget) throws(GatewayRefusal) -> GatewayCall {
        let isTest: Bool
        switch target["test"] {
        case nil, "false": isTest = false
        case "", "true": isTest = true
        default: throw .malformed("test", "The parameter test must be true or false.")
        }
        guard target["pns"] != nil || target["to_tag"] != nil || isTest else { return .notifySelf }
        guard let pns = target["pns"] else {
            throw .malformed("pns", "The parameter pns is missing: use one of \(NotificationPlatform.list).")
        }
        guard let platform = NotificationPlatform(rawValue: pns.lowercasedASCII) else {
            throw .malformed("pns", "The parameter pns must be one of \(NotificationPlatform.list).")
        }
        guard let name = target["to_tag"] else {
            throw .malformed("to_tag", "The parameter to_tag is missing: it is the name of the user to notify.")
        }
        guard let recipient = GatewayUser(name) else {
            throw .malformed(
                "to_tag",
                "The parameter to_tag must be a user's name: \(UserName.rule)."
            )
        }
        return .notify(platform: platform, recipient: recipient, isTest: isTest)
    }
}

/// The rule for handles of any platform.
enum DeviceHandleRule {
    /// The maximum size in bytes.
    static let maximumLength = 4096
}

extension UInt8 {
    /// Whether the hub uses the character in registration IDs: `7260336227650468927-4200236381151834034-1`.
    fileprivate var isRegistrationIDCharacter: Bool { isLetterOrDigit || self == UInt8(ascii: "-") }

    /// Whether the .NET SDK allows the character, except those with a meaning in a tag expression or a path.
    fileprivate var isInstallationIDCharacter: Bool {
        isLetterOrDigit || "-_@.:=".utf8.contains(self)
    }

    fileprivate var isVisible: Bool { (0x21...0x7E).contains(self) }

    /// Whether the character may occur in tokens and URIs. Quotes are excluded, so that a handle cannot end a filter.
    var isHandleCharacter: Bool { isVisible && !"'\"<>\\^`{|}".utf8.contains(self) }
}
