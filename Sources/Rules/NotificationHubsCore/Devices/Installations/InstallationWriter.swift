import StrictJSON
import Timestamps

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
        if !isRequest {
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
        writer.name("tags")
        writer.beginArray()
        for tag in tags { writer.value(tag) }
        writer.endArray()
    }

    private mutating func expired(_ isExpired: Bool) {
        guard !isRequest else { return }
        writer.name("pushChannelExpired")
        writer.value(isExpired)
    }
}

extension PushChannel {
    /// The channel as one text. A browser's channel is a string of JSON, because the SDKs of .NET and Java accept only strings.
    package var installationText: String {
        guard case .browser(let endpoint, let p256dh, let auth) = self else { return handle }
        var writer = JSONWriter()
        writer.object([NamedValue("endpoint", endpoint), NamedValue("p256dh", p256dh), NamedValue("auth", auth)])
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
