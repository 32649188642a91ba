import ASCII
import NotificationHubs
import StrictJSON

/// The body of `PUT /api/register/{id}`: `{"Platform":"apns","Handle":"…","Tags":["…"]}`.
struct DeviceRegistrationBody: Sendable, Equatable {
    /// How the device is reached.
    let channel: PushChannel
    /// What it wants to hear of.
    let tags: [Tag]

    /// Reads a body. Names of members are compared without case, as the tutorials' server does; others are passed over.
    ///
    /// - Parameters:
    ///   - body: JSON.
    ///   - rule: Which tags a client may give.
    /// - Throws: ``GatewayRefusal``: 400 with the member's path, 403 for a tag that is not the client's to give.
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
            throw .malformed("wrong_type", "The registration has to be a JSON object.", path: "")
        }
        var byName: [String: JSONValue] = [:]
        for member in members {
            let name = member.name.lowercasedASCII
            guard ["platform", "handle", "tags"].contains(name) else { continue }
            guard byName.updateValue(member.value, forKey: name) == nil else {
                let path = "/" + JSONPointer.escaped(member.name)
                throw .malformed("duplicate_member", "A member stands twice, but for its case.", path: path)
            }
        }
        return byName
    }

    private static func platform(_ value: JSONValue?) throws(GatewayRefusal) -> PushPlatform {
        let known: [PushPlatform] = [.apns, .gcm, .fcmv1, .wns, .mpns, .adm, .xiaomi]
        let text = try text(value, at: "/Platform")
        guard let platform = PushPlatform(name: text), known.contains(platform) else {
            let list = known.map(\.rawValue).joined(separator: ", ")
            throw .malformed("unknown_platform", "The platform is one of \(list).", path: "/Platform")
        }
        return platform
    }

    private static func channel(_ platform: PushPlatform, handle: String) throws(GatewayRefusal) -> PushChannel {
        guard !handle.isEmpty, handle.utf8.count <= DeviceHandleRule.maximumLength,
            handle.utf8.allSatisfy(\.isHandleCharacter)
        else { throw Self.handle }
        let channel: PushChannel =
            switch platform {
            case .apns: .apns(deviceToken: handle)
            case .gcm: .gcm(registrationID: handle)
            case .fcmv1: .fcmv1(registrationID: handle)
            case .wns: .wns(uri: handle)
            case .mpns: .mpns(uri: handle)
            case .adm: .adm(registrationID: handle)
            default: .xiaomi(registrationID: handle)
            }
        do throws(DeviceError) {
            return try channel.checked(at: "")
        } catch {
            throw Self.handle
        }
    }

    private static let handle = GatewayRefusal.malformed(
        "handle",
        "The handle cannot be one of its platform.",
        path: "/Handle"
    )

    private static func tags(_ value: JSONValue?, rule: ClientTagRule) throws(GatewayRefusal) -> [Tag] {
        guard let value, !value.isNull else { return [] }
        guard let elements = value.array else {
            throw .malformed("wrong_type", "The tags have to be an array of strings.", path: "/Tags")
        }
        // One more is the server's own.
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
        do throws(TagError) {
            return try Tag(text)
        } catch {
            throw .malformed("invalid_tag", "This is no tag: \(error.message).", path: path)
        }
    }

    private static func text(_ value: JSONValue?, at path: String) throws(GatewayRefusal) -> String {
        guard let value, !value.isNull else { throw .malformed("missing", "This member is missing.", path: path) }
        guard let text = value.string else { throw .malformed("wrong_type", "This has to be a string.", path: path) }
        return text
    }
}

extension GatewayRefusal {
    /// What a body that is no JSON is told.
    init(_ error: JSONError) {
        self.init(
            400,
            error.code == .duplicateMember ? "duplicate_member" : "json",
            "The body is not JSON: \(error.message), at byte \(error.offset).",
            // Its names are the client's, of any length.
            path: error.path.utf8.count <= 128 ? error.path : nil
        )
    }

    /// What a device that the hub would not take is told. The library's texts quote wrong tags, which are not repeated.
    init(_ error: DeviceError) {
        let message = error.code == .invalidTag ? "A tag is none that the hub takes." : error.message
        self.init(400, error.code.rawValue, message, path: error.path)
    }
}
