import NewsflashBasics
import NewsflashStrictJSON
import NotificationHubs

/// The body of `PUT /api/register/{id}`: `{"Platform":"apns","Handle":"…","Tags":["…"]}`.
struct DeviceRegistrationBody: Sendable, Equatable {
    /// The address of the app at its push service.
    let channel: PushChannel
    /// The tags that the device subscribes to.
    let tags: [Tag]

    /// Decodes a body. Names of members ignore case, as in the tutorials' server; unknown members are ignored.
    ///
    /// - Parameters:
    ///   - body: A JSON object.
    ///   - rule: The rule for tags set by clients.
    /// - Throws: ``GatewayRefusal``: 400 with the member's path, or 403 for a reserved tag.
    init(_ body: [UInt8], rule: ClientTagRule) throws(GatewayRefusal) {
        let members = try Self.members(of: body)
        let platform = try Self.platform(members["platform"])
        channel = try Self.channel(platform, handle: Self.text(members["handle"], at: "/Handle"))
        tags = try Self.tags(members["tags"], rule: rule)
    }

    private static func members(of body: [UInt8]) throws(GatewayRefusal) -> [String: JSONValue] {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(body, maximumDepth: 8)
        } catch {
            throw GatewayRefusal(error)
        }
        guard let members = value.object else {
            throw .malformed("wrong_type", "The registration must be a JSON object.", path: "")
        }
        var byName: [String: JSONValue] = [:]
        for member in members {
            let name = member.name.lowercasedASCII
            guard ["platform", "handle", "tags"].contains(name) else { continue }
            guard byName.updateValue(member.value, forKey: name) == nil else {
                let path = "/" + JSONPointer.escaped(member.name)
                throw .malformed("duplicate_member", "A member is repeated; names ignore case.", path: path)
            }
        }
        return byName
    }

    private static func platform(_ value: JSONValue?) throws(GatewayRefusal) -> PushPlatform {
        let known: [PushPlatform] = [.apns, .gcm, .fcmv1, .wns, .mpns, .adm, .xiaomi]
        let text = try text(value, at: "/Platform")
        guard let platform = PushPlatform(name: text), known.contains(platform) else {
            let list = known.map(\.rawValue).joined(separator: ", ")
            throw .malformed("unknown_platform", "The platform must be one of \(list).", path: "/Platform")
        }
        return platform
    }

    private static func channel(_ platform: PushPlatform, handle: String) throws(GatewayRefusal) -> PushChannel {
        guard !handle.isEmpty, handle.utf8.count <= DeviceHandleRule.maximumLength,
            handle.utf8.allSatisfy(\.isHandleCharacter)
        else { throw Self.handle }
        do throws(HubValueError) {
            return try PushChannel(platform, handle: handle).checked(at: "")
        } catch {
            throw Self.handle
        }
    }

    private static let handle = GatewayRefusal.malformed(
        "handle",
        "The handle is not valid for its platform.",
        path: "/Handle"
    )

    private static func tags(_ value: JSONValue?, rule: ClientTagRule) throws(GatewayRefusal) -> [Tag] {
        guard let value, !value.isNull else { return [] }
        guard let elements = value.array else {
            throw .malformed("wrong_type", "The tags must be an array of strings.", path: "/Tags")
        }
        // The limit is one less, because the server adds a tag.
        guard elements.count < RegistrationDescription.maximumTags else {
            let most = RegistrationDescription.maximumTags - 1
            throw .malformed("too_many_tags", "A registration has at most \(most) tags.", path: "/Tags")
        }
        var tags: [Tag] = []
        for (index, element) in elements.enumerated() {
            let path = "/Tags/\(index)"
            let text = try text(element, at: path)
            try rule.check(text, at: path)
            let tag = try tag(text, at: path)
            if !tags.contains(tag) { tags.append(tag) }
        }
        return tags
    }

    private static func tag(_ text: String, at path: String) throws(GatewayRefusal) -> Tag {
        do throws(HubValueError) {
            return try Tag(text)
        } catch {
            throw .malformed("invalid_tag", "The tag is invalid: \(error.message).", path: path)
        }
    }

    private static func text(_ value: JSONValue?, at path: String) throws(GatewayRefusal) -> String {
        guard let value, !value.isNull else { throw .malformed("missing", "This member is missing.", path: path) }
        guard let text = value.string else { throw .malformed("wrong_type", "This must be a string.", path: path) }
        return text
    }
}

extension GatewayRefusal {
    /// The refusal of a body that is not JSON.
    init(_ error: JSONError) {
        self.init(
            400,
            error.code == .duplicateMember ? "duplicate_member" : "json",
            "The body is not JSON: \(error.message), at byte \(error.offset).",
            // The path contains names from the client, of any length.
            path: error.path.utf8.count <= 128 ? error.path : nil
        )
    }

    /// The refusal of a device that the hub would not accept. An invalid tag is not quoted, unlike in the library's text.
    init(_ error: HubValueError) {
        let message = error.code == .deviceInvalidTag ? "The hub does not accept one of the tags." : error.message
        self.init(400, error.code.rawValue, message, path: error.path)
    }
}
