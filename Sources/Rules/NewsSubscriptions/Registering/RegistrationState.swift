import NewsflashSigning
import NewsflashStrictJSON
import NewsflashTimestamps
import NotificationHubsCore

/// The stored state of the device's registration.
enum RegistrationState: Sendable, Equatable {
    /// The device is not registered.
    case none
    /// The device was registered with this content at that time.
    case registered(id: String, digest: String, at: Timestamp)
    /// A registration is wanted but could not be made yet. If there is an id, its content may be older.
    case pending(id: String?, since: Timestamp)
    /// The registration must be removed but could not be removed yet.
    case leaving(id: String, since: Timestamp)

    /// The id of the registration, if it has one.
    var id: String? {
        switch self {
        case .none: nil
        case .registered(let id, _, _), .leaving(let id, _): id
        case .pending(let id, _): id
        }
    }
}

/// A state with its place, as one line of JSON.
struct KeptRegistration: Equatable {
    var place: RegistrationPlace
    /// The digest of the device that wrote it; `nil` if the app does not distinguish devices.
    var device: String?
    var state: RegistrationState

    init(place: RegistrationPlace, device: String?, state: RegistrationState) {
        self.place = place
        self.device = device
        self.state = state
    }

    /// Reads a line; `nil` if this version did not write it.
    init?(_ text: String) {
        guard let json = try? JSONReader.read(text), json[member: "v"]?.int64 == 2,
            let address = json[member: "address"]?.string, let owner = json[member: "owner"]?.string,
            let at = (json[member: "at"]?.string).flatMap({ Timestamp(rfc3339: $0) })
        else { return nil }
        place = RegistrationPlace(address: address, owner: owner)
        device = json[member: "device"]?.string
        let id = json[member: "id"]?.string
        switch (json[member: "state"]?.string, id, json[member: "digest"]?.string) {
        case ("registered", let id?, let digest?): state = .registered(id: id, digest: digest, at: at)
        case ("pending", _, _): state = .pending(id: id, since: at)
        case ("leaving", let id?, _): state = .leaving(id: id, since: at)
        default: return nil
        }
    }

    var text: String {
        var writer = JSONWriter()
        func write(_ name: String, digest: String? = nil, _ at: Timestamp) {
            writer.beginObject()
            writer.member("v", 2)
            writer.member("address", place.address)
            writer.member("owner", place.owner)
            writer.member("device", device)
            writer.member("state", name)
            writer.member("id", state.id)
            writer.member("digest", digest)
            writer.member("at", at.rfc3339)
            writer.endObject()
        }
        switch state {
        case .none: return ""
        case .registered(_, let digest, let at): write("registered", digest: digest, at)
        case .pending(_, let since): write("pending", since)
        case .leaving(_, let since): write("leaving", since)
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// A server of registrations and its user. Ids of one place have no meaning at another.
struct RegistrationPlace: Hashable, Sendable {
    /// The digest of the kind of registration and of its server's address.
    var address: String
    /// The digest of the user's name; empty at a hub, which has no users.
    var owner: String

    /// Creates a place.
    ///
    /// - Parameters:
    ///   - kind: `hub`, `register` or `installation`.
    ///   - url: The address of the hub or the back end.
    ///   - user: The name of the signed-in user; `nil` at a hub.
    init(kind: String, url: String, user: String?) {
        address = Self.digest(of: [kind, url])
        owner = user.map { Self.digest(of: ["user", $0]) } ?? ""
    }

    init(address: String, owner: String) {
        self.address = address
        self.owner = owner
    }

    /// The digest of some texts, which differs for different lists of texts.
    static func digest(of parts: [String]) -> String {
        Base64.encode(SHA256Digest.hash(of: bytes(of: parts)))
    }

    /// The texts as bytes, each preceded by its length.
    static func bytes(of parts: [String]) -> [UInt8] {
        parts.flatMap { Array("\($0.utf8.count):".utf8) + Array($0.utf8) }
    }
}

/// The wanted registration: the channel to the device, its tags and its template.
struct WantedRegistration: Sendable, Equatable {
    /// Checked, and spelled as in the hub.
    let description: RegistrationDescription

    /// Creates a wanted registration.
    ///
    /// - Parameters:
    ///   - channel: The channel to the device.
    ///   - choice: The subscriber's choice.
    ///   - template: The template of notifications; `nil` if the back end sends each platform's own.
    /// - Throws: ``SubscriptionError`` for a channel, template or number of tags that the hub does not accept.
    init(channel: PushChannel, choice: NewsChoice, template: TemplateDescription?) throws(SubscriptionError) {
        do throws(HubValueError) {
            description = try RegistrationDescription(channel: channel, tags: choice.tags, template: template).checked()
        } catch {
            throw SubscriptionError(.invalidValue, "the hub would not accept this device: \(error.message)")
        }
    }

    /// Identifies the content; the device token cannot be derived from it.
    var digest: String {
        var parts = [description.channel.platform.rawValue, description.channel.handle]
        parts += description.channel.parts.dropFirst()
        parts += ["tags"] + description.tags.map(\.description)
        if let template = description.template {
            parts += ["template", template.name ?? "", template.body, template.expiry ?? "", template.priority ?? ""]
            parts += template.headers.flatMap { [$0.name, $0.value] }
        }
        return RegistrationPlace.digest(of: parts)
    }
}
