import ASCII

/// Where everything is.
enum GatewayRoutes {
    /// What a request asks for.
    ///
    /// - Parameters:
    ///   - method: With regard to case, as HTTP has it.
    ///   - target: Taken apart.
    /// - Returns: The call, its ids checked.
    /// - Throws: ``GatewayRefusal``: 404 for no such address, 405 for no such method, 400 for an id that none can be.
    static func call(method: String, target: GatewayTarget) throws(GatewayRefusal) -> GatewayCall {
        switch (target.segments.count, target.segments.dropFirst().first) {
        case (2...3, _) where target.segments[0] != "api": throw .notFound
        case (2, "register"):
            try allow(method, ["POST"])
            return .newRegistration(handle: try handle(target))
        case (3, "register"):
            try allow(method, ["PUT", "DELETE"])
            let id = try id(target.segments[2], allows: \.isRegistrationIDCharacter, upTo: 64)
            return method == "PUT" ? .putRegistration(id: id) : .deleteRegistration(id: id)
        case (3, "installations"):
            try allow(method, ["GET", "PUT", "PATCH", "DELETE"])
            let id = try id(target.segments[2], allows: \.isInstallationIDCharacter, upTo: 100)
            switch method {
            case "PUT": return .putInstallation(id: id)
            case "PATCH": return .patchInstallation(id: id)
            case "DELETE": return .deleteInstallation(id: id)
            default: return .readInstallation(id: id)
            }
        case (2, "notifications"):
            try allow(method, ["POST"])
            return try notification(target)
        case (3, "notifications"):
            try allow(method, ["GET"])
            return .readNotification(id: try id(target.segments[2], allows: \.isVisible, upTo: 256))
        case (2, "events"):
            try allow(method, ["POST"])
            return .publishEvent(source: target["source"])
        case (3, "events"):
            try allow(method, ["GET"])
            return .readOutcome(event: try id(target.segments[2], allows: \.isVisible, upTo: 128))
        default: throw .notFound
        }
    }

    /// The methods of an address, for the question of a page's browser before its request; nothing where there is none.
    static func methods(of target: GatewayTarget) -> [String]? {
        guard target.segments.first == "api" else { return nil }
        return switch (target.segments.count, target.segments.dropFirst().first) {
        case (2, "register"), (2, "notifications"), (2, "events"): ["POST"]
        case (3, "register"): ["PUT", "DELETE"]
        case (3, "installations"): ["GET", "PUT", "PATCH", "DELETE"]
        case (3, "notifications"), (3, "events"): ["GET"]
        default: nil
        }
    }

    private static func allow(_ method: String, _ allowed: [String]) throws(GatewayRefusal) {
        guard !allowed.contains(method) else { return }
        let list = allowed.joined(separator: ", ")
        throw GatewayRefusal(405, "method", "This address takes \(list) only.", allow: list)
    }

    private static func id(
        _ text: String,
        allows: (UInt8) -> Bool,
        upTo limit: Int
    ) throws(GatewayRefusal) -> String {
        // Two slashes in a row, or one at the end, name nothing.
        guard !text.isEmpty else { throw .notFound }
        guard text.utf8.count <= limit, text.utf8.allSatisfy(allows) else {
            throw .malformed("id", "The id in the address cannot be one.")
        }
        return text
    }

    /// A handle without its platform, so only what no handle has is refused.
    private static func handle(_ target: GatewayTarget) throws(GatewayRefusal) -> String? {
        guard let handle = target["handle"], !handle.isEmpty else { return nil }
        guard handle.utf8.count <= DeviceHandleRule.maximumLength, handle.utf8.allSatisfy(\.isHandleCharacter) else {
            throw .malformed("handle", "The handle in the query cannot be one.")
        }
        return handle
    }

    private static func notification(_ target: GatewayTarget) throws(GatewayRefusal) -> GatewayCall {
        let isTest: Bool
        switch target["test"] {
        case nil, "false": isTest = false
        case "", "true": isTest = true
        default: throw .malformed("test", "The parameter test is true or false.")
        }
        guard target["pns"] != nil || target["to_tag"] != nil || isTest else { return .notifySelf }
        guard let pns = target["pns"] else {
            throw .malformed("pns", "The parameter pns is missing: it is one of \(NotificationPlatform.list).")
        }
        guard let platform = NotificationPlatform(rawValue: pns.lowercasedASCII) else {
            throw .malformed("pns", "The parameter pns is one of \(NotificationPlatform.list).")
        }
        guard let name = target["to_tag"] else {
            throw .malformed("to_tag", "The parameter to_tag is missing: it is the name of the user to notify.")
        }
        guard let recipient = GatewayUser(name) else {
            throw .malformed(
                "to_tag",
                "The parameter to_tag is a user's name: 1 to \(GatewayUser.maximumLength) letters, digits and _ @ # . -."
            )
        }
        return .notify(platform: platform, recipient: recipient, isTest: isTest)
    }
}

/// What a handle may be, whatever its platform.
enum DeviceHandleRule {
    /// The most bytes.
    static let maximumLength = 4096
}

extension UInt8 {
    /// As the hub makes them: `7260336227650468927-4200236381151834034-1`.
    fileprivate var isRegistrationIDCharacter: Bool { isLetterOrDigit || self == UInt8(ascii: "-") }

    /// As the .NET SDK has them, but for what has a meaning in a tag expression or a path.
    fileprivate var isInstallationIDCharacter: Bool {
        isLetterOrDigit || "-_@.:=".utf8.contains(self)
    }

    fileprivate var isVisible: Bool { (0x21...0x7E).contains(self) }

    /// What may stand in tokens and URIs; no quotes, so that none ends a filter.
    var isHandleCharacter: Bool { isVisible && !"'\"<>\\^`{|}".utf8.contains(self) }
}
