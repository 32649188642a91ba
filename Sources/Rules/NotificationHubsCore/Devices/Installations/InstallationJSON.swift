import NewsflashBasics
import NewsflashStrictJSON
import NewsflashTimestamps

/// Installations in the JSON of the hub's REST interface
/// (https://learn.microsoft.com/rest/api/notificationhubs/create-overwrite-installation).
package enum InstallationJSON {
    /// Decodes an installation from a request body.
    ///
    /// Members that only the hub sets (`pushChannelExpired`, `expirationTime`, `lastUpdate`, …) are ignored, so that clients
    /// can
    /// send back an installation they read. Names of members ignore case, as in the service.
    ///
    /// - Parameters:
    ///   - body: A JSON object.
    ///   - id: The ID in the request's path, used as it is.
    /// - Returns: The checked installation; the expressions of its templates are not checked.
    /// - Throws: ``HubValueError`` with the text of the response.
    package static func read(_ body: [UInt8], id: String) throws(HubValueError) -> Installation {
        try InstallationReader(object(in: body)).installation(id: id)
    }

    /// Decodes an installation from a response of the hub, including members that only the hub sets. Keeps what breaks the
    /// rules of requests.
    ///
    /// - Parameter body: A JSON object, as encoded by ``write(_:)``.
    /// - Returns: The installation.
    /// - Throws: ``HubValueError`` if the body is not an installation.
    package static func readAnswer(_ body: [UInt8]) throws(HubValueError) -> Installation {
        try InstallationAnswerReader(object(in: body)).installation()
    }

    private static func object(in body: [UInt8]) throws(HubValueError) -> PlacedJSON {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(body)
        } catch {
            throw HubValueError(.deviceSyntax, "The request body is not valid JSON: \(error.message).", at: error.path)
        }
        guard value.object != nil else {
            throw HubValueError(.deviceWrongType, "The installation is not a JSON object.")
        }
        return PlacedJSON(value)
    }

    /// Encodes an installation like the hub: members in the order of recorded responses, and each template's name among its
    /// tags.
    ///
    /// - Parameter installation: The installation as stored by the hub.
    /// - Returns: A JSON object without white space.
    package static func write(_ installation: Installation) -> [UInt8] {
        InstallationWriter().write(installation)
    }

    /// Encodes a request body that creates or replaces an installation, without members that only the hub sets.
    ///
    /// - Parameter installation: The installation.
    /// - Returns: A JSON object without white space.
    /// - Throws: ``HubValueError`` if the hub would reject the installation.
    package static func request(_ installation: Installation) throws(HubValueError) -> [UInt8] {
        var installation = installation
        installation.channel = try installation.channel.checked(at: "/pushChannel")
        try installation.check()
        return InstallationWriter(isRequest: true).write(installation)
    }
}

/// Decodes the JSON object of an installation.
struct InstallationReader {
    private let json: PlacedJSON

    init(_ json: PlacedJSON) {
        self.json = json
    }

    func installation(id: String) throws(HubValueError) -> Installation {
        if let inBody = json["installationId"] {
            guard try inBody.string("The installation id").isEqualIgnoringCase(id) else {
                throw HubValueError(
                    .deviceInvalidID,
                    "The installation id of the body is not that of the address.",
                    at: inBody.path
                )
            }
        }
        let platform = try platform()
        guard let channel = json["pushChannel"] else {
            throw HubValueError(.deviceMissing, "The installation has no pushChannel.", at: "/pushChannel")
        }
        let installation = Installation(
            id: id,
            channel: try Self.channel(channel, platform: platform),
            userID: try userID(),
            tags: try Self.tags(json["tags"]),
            pushVariables: try pushVariables(),
            templates: try Self.templates(json["templates"]),
            secondaryTiles: try tiles(platform: platform)
        )
        try installation.check()
        return installation
    }

    private func platform() throws(HubValueError) -> PushPlatform {
        guard let name = json["platform"] else {
            throw HubValueError(.deviceMissing, "The installation has no platform.", at: "/platform")
        }
        guard let platform = PushPlatform(name: try name.string("The platform")) else {
            throw .unknownPlatform(at: name.path)
        }
        return platform
    }

    private func userID() throws(HubValueError) -> String? {
        guard let text = try json["userId"]?.string("The user id"), !text.isEmpty else { return nil }
        return text
    }

    private func pushVariables() throws(HubValueError) -> [NamedValue] {
        guard let variables = json["pushVariables"] else { return [] }
        return try PushVariables.read(variables.value, at: variables.path)
    }

    private func tiles(platform: PushPlatform) throws(HubValueError) -> [SecondaryTile] {
        guard let tiles = json["secondaryTiles"] else { return [] }
        var read: [SecondaryTile] = []
        for (name, tile) in try tiles.members("The member secondaryTiles") {
            read.append(try Self.tile(tile, name: name, platform: platform))
        }
        return read
    }
}

extension InstallationReader {
    /// Decodes a push channel: a string, or for browsers an object or a string that contains an object.
    static func channel(_ json: PlacedJSON, platform: PushPlatform) throws(HubValueError) -> PushChannel {
        guard platform == .browser else {
            return try channel(json.string("The pushChannel"), platform: platform).checked(at: json.path)
        }
        let keys = json.unwrapped
        func key(_ name: String) throws(HubValueError) -> String { try keys[name]?.string("The \(name)") ?? "" }
        let channel = PushChannel.browser(
            endpoint: try key("endpoint"),
            p256dh: try key("p256dh"),
            auth: try key("auth")
        )
        return try channel.checked(at: json.path)
    }

    /// Returns the channel of a text; for Baidu `userId-channelId`.
    static func channel(_ text: String, platform: PushPlatform) -> PushChannel {
        guard platform == .baidu else { return PushChannel(platform, handle: text) }
        let ids = text.split(separator: "-", maxSplits: 1)
        return .baidu(userID: String(ids.first ?? ""), channelID: String(ids.dropFirst().first ?? ""))
    }

    /// Decodes an array of tags.
    static func tags(_ json: PlacedJSON?, templateName: String? = nil) throws(HubValueError) -> [Tag] {
        guard let json else { return [] }
        guard let elements = json.value.array else { throw json.wrongType("The member tags", "an array of strings") }
        var texts: [String] = []
        for element in elements {
            guard let text = element.string else { throw json.wrongType("The member tags", "an array of strings") }
            // The hub adds the name to its responses, and clients send back what they read.
            if text != templateName { texts.append(text) }
        }
        return try TagList.read(texts, at: json.path)
    }

    /// Decodes a map of templates.
    static func templates(_ json: PlacedJSON?) throws(HubValueError) -> [InstallationTemplate] {
        guard let json else { return [] }
        var templates: [InstallationTemplate] = []
        for (name, template) in try json.members("The member templates") {
            templates.append(try self.template(template, name: name))
        }
        return templates
    }

    /// Decodes one template.
    static func template(_ json: PlacedJSON, name: String) throws(HubValueError) -> InstallationTemplate {
        _ = try json.members("A template")
        guard let body = json["body"] else {
            throw HubValueError(.deviceMissing, "A template has no body.", at: json.path + "/body")
        }
        return InstallationTemplate(
            name: name,
            body: try body.string("The body of a template"),
            headers: try json["headers"].map(headers) ?? [],
            expiry: try json["expiry"]?.string("The expiry of a template"),
            tags: try tags(json["tags"], templateName: name)
        )
    }

    /// Decodes a map of headers.
    static func headers(_ json: PlacedJSON) throws(HubValueError) -> [NamedValue] {
        var headers: [NamedValue] = []
        for (name, value) in try json.members("The member headers") {
            headers.append(NamedValue(name, try value.string("A header")))
        }
        return headers
    }

    /// Decodes one secondary tile.
    static func tile(_ json: PlacedJSON, name: String, platform: PushPlatform) throws(HubValueError) -> SecondaryTile {
        _ = try json.members("A secondary tile")
        guard let channel = json["pushChannel"] else {
            throw HubValueError(.deviceMissing, "A secondary tile has no pushChannel.", at: json.path + "/pushChannel")
        }
        return SecondaryTile(
            name: name,
            channel: try self.channel(channel, platform: platform),
            tags: try tags(json["tags"]),
            templates: try templates(json["templates"])
        )
    }
}

/// Encodes the JSON object of an installation in the order and format of the service's recorded responses.
struct InstallationWriter {
    private var writer = JSONWriter(reservingCapacity: 512)
    /// Whether to omit members that only the hub sets.
    private let isRequest: Bool

    init(isRequest: Bool = false) {
        self.isRequest = isRequest
    }

    consuming func write(_ installation: Installation) -> [UInt8] {
        writer.beginObject()
        writer.member("installationId", installation.id)
        writer.member("pushChannel", installation.channel.installationText)
        expired(installation.isChannelExpired)
        writer.member("platform", installation.channel.platform.rawValue)
        if !isRequest || installation.expiration != nil {
            writer.member("expirationTime", installation.expiration?.rfc3339 ?? ExpirationText.neverOfInstallation)
        }
        writer.member("userId", installation.userID)
        tags(installation.tags.map(\.description))
        if !installation.pushVariables.isEmpty {
            writer.name("pushVariables")
            writer.object(installation.pushVariables)
        }
        templates(installation.templates)
        if !installation.secondaryTiles.isEmpty {
            writer.name("secondaryTiles")
            writer.beginObject()
            for tile in installation.secondaryTiles { self.tile(tile) }
            writer.endObject()
        }
        writer.endObject()
        return writer.bytes
    }

    private mutating func tile(_ tile: SecondaryTile) {
        writer.name(tile.name)
        writer.beginObject()
        writer.member("pushChannel", tile.channel.installationText)
        expired(false)
        tags(tile.tags.map(\.description))
        templates(tile.templates)
        writer.endObject()
    }

    private mutating func templates(_ templates: [InstallationTemplate]) {
        guard !templates.isEmpty else { return }
        writer.name("templates")
        writer.beginObject()
        for template in templates {
            writer.name(template.name)
            writer.beginObject()
            writer.member("body", template.body)
            if !template.headers.isEmpty {
                writer.name("headers")
                writer.object(template.headers)
            }
            writer.member("expiry", template.expiry)
            let tags = template.tags.map(\.description).filter { $0 != template.name }
            self.tags(isRequest ? tags : tags + [template.name])
            writer.endObject()
        }
        writer.endObject()
    }

    private mutating func tags(_ tags: [String]) {
        guard !tags.isEmpty else { return }
        writer.member("tags", tags)
    }

    private mutating func expired(_ isExpired: Bool) {
        guard !isRequest else { return }
        writer.member("pushChannelExpired", isExpired)
    }
}

extension PushChannel {
    /// The channel as one text. A browser's channel is a string of JSON, because the SDKs of .NET and Java accept only strings.
    package var installationText: String {
        guard platform == .browser else { return handle }
        var writer = JSONWriter()
        writer.object(zip(["endpoint", "p256dh", "auth"], parts).map { NamedValue($0, $1) })
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// A JSON value and its position, for error messages.
struct PlacedJSON {
    let value: JSONValue
    /// The position: a JSON Pointer (RFC 6901).
    let path: String

    init(_ value: JSONValue, at path: String = "") {
        self.value = value
        self.path = path
    }

    /// The member with this name, ignoring case; `nil` if it is absent or null.
    subscript(name: String) -> PlacedJSON? {
        let member =
            value.object?.first { $0.name == name } ?? value.object?.first { $0.name.isEqualIgnoringCase(name) }
        guard let member, !member.value.isNull else { return nil }
        return PlacedJSON(member.value, at: "\(path)/\(JSONPointer.escaped(name))")
    }

    /// The members of an object, each with its position; `nil` if it is not an object.
    var objectMembers: [(name: String, value: PlacedJSON)]? {
        value.object?.map { ($0.name, PlacedJSON($0.value, at: "\(path)/\(JSONPointer.escaped($0.name))")) }
    }

    /// The members, each with its position.
    func members(_ what: String) throws(HubValueError) -> [(name: String, value: PlacedJSON)] {
        guard let objectMembers else { throw wrongType(what, "a JSON object") }
        return objectMembers
    }

    func string(_ what: String) throws(HubValueError) -> String {
        guard let text = value.string else { throw wrongType(what, "a string") }
        return text
    }

    func wrongType(_ what: String, _ wanted: String) -> HubValueError {
        HubValueError(.deviceWrongType, "\(what) must be \(wanted).", at: path)
    }

    /// The value that a string contains as JSON, otherwise the value itself: SDKs send structured values as strings of JSON.
    var unwrapped: PlacedJSON {
        guard let text = value.string, let value = try? JSONReader.read(text), value.object != nil || value.array != nil
        else { return self }
        return PlacedJSON(value, at: path)
    }
}

extension String {
    /// Whether two texts are equal except for ASCII case.
    func isEqualIgnoringCase(_ other: String) -> Bool {
        utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { $0.lowercasedASCII == $1.lowercasedASCII }
    }
}
