import NewsflashStrictJSON
import NewsflashTimestamps

/// Decodes an installation that a hub returned. Only its ID must be readable: tags, platforms and members of other clients may
/// break the rules that this library applies to its own requests, and the service may have more members than this version
/// knows.
struct InstallationAnswerReader {
    private let json: PlacedJSON

    init(_ json: PlacedJSON) {
        self.json = json
    }

    func installation() throws(HubValueError) -> Installation {
        guard let id = text("installationId"), !id.isEmpty else {
            throw HubValueError(.deviceMissing, "The installation has no id.", at: "/installationId")
        }
        let platform = PushPlatform(rawValue: text("platform") ?? "")
        var installation = Installation(
            id: id,
            channel: Self.channel(json["pushChannel"], platform),
            userID: text("userId").flatMap { $0.isEmpty ? nil : $0 },
            isChannelExpired: json["pushChannelExpired"]?.value.bool ?? json["expiredPushChannel"]?.value.bool ?? false,
            expiration: time("expirationTime"),
            tags: Self.tags(json["tags"]),
            pushVariables: json["pushVariables"].map { PushVariables.keep($0.value) } ?? [],
            templates: Self.templates(json["templates"]),
            secondaryTiles: members(json["secondaryTiles"]).map { name, tile in
                SecondaryTile(
                    name: name,
                    channel: Self.channel(tile["pushChannel"], platform),
                    tags: Self.tags(tile["tags"]),
                    templates: Self.templates(tile["templates"])
                )
            }
        )
        installation.lastUpdate = time("lastUpdate")
        installation.lastActiveOn = time("lastActiveOn")
        installation.otherMembers = (json.value.object ?? []).filter { !isUnderstood($0) }.map { member in
            var writer = JSONWriter()
            writer.value(member.value)
            return NamedValue(member.name, String(decoding: writer.bytes, as: UTF8.self))
        }
        return installation
    }

    /// Whether a member is kept in a property of the installation.
    private func isUnderstood(_ member: JSONMember) -> Bool {
        let value = member.value
        return switch member.name.lowercased() {
        case "installationid", "platform", "userid": value.string != nil || value.isNull
        case "pushchannel": value.string != nil || value.object != nil || value.isNull
        case "pushchannelexpired", "expiredpushchannel": value.bool != nil || value.isNull
        case "tags": value.array?.allSatisfy { $0.string != nil } ?? value.isNull
        case "pushvariables", "templates", "secondarytiles": value.object != nil || value.isNull
        case "expirationtime", "lastupdate", "lastactiveon":
            value.isNull || value.string.map(ExpirationText.isReadable) ?? false
        default: false
        }
    }

    private func text(_ name: String) -> String? { json[name]?.value.string }

    private func time(_ name: String) -> Timestamp? {
        (try? ExpirationText.read(text(name), at: "")) ?? nil
    }

    private func members(_ json: PlacedJSON?) -> [(String, PlacedJSON)] { json?.objectMembers ?? [] }

    private static func channel(_ json: PlacedJSON?, _ platform: PushPlatform) -> PushChannel {
        guard let json else { return PushChannel(platform, handle: "") }
        let keys = json.unwrapped
        if keys.value.object != nil, platform == .browser || json.value.string == nil {
            let parts = ["endpoint", "p256dh", "auth"].map { keys[$0]?.value.string ?? "" }
            return PushChannel(platform, parts: parts)
        }
        return InstallationReader.channel(json.value.string ?? "", platform: platform)
    }

    private static func tags(_ json: PlacedJSON?, templateName: String? = nil) -> [Tag] {
        let texts = json?.value.array?.compactMap(\.string) ?? []
        return TagList.keep(texts.filter { $0 != templateName }, templateName: templateName)
    }

    private static func templates(_ json: PlacedJSON?) -> [InstallationTemplate] {
        (json?.objectMembers ?? []).map { name, template in
            InstallationTemplate(
                name: name,
                body: template["body"]?.value.string ?? "",
                headers: template["headers"].map { PushVariables.keep($0.value) } ?? [],
                expiry: template["expiry"]?.value.string,
                tags: tags(template["tags"], templateName: name)
            )
        }
    }
}
