import NewsflashBasics
import NotificationHubs

/// The owner of a registration or an installation. The hub stores it as the tag `username:NAME`, which only this server sets.
enum DeviceOwner: Sendable, Equatable {
    /// No owner: the record was created without this server, or does not exist.
    case nobody
    /// The owner's name in lower case: names that differ only in case are the same for the hub.
    case user(String)
    /// The tags contradict each other, so they were not set by this server alone.
    case disputed

    /// Derives the owner from tags.
    init(tags: some Sequence<Tag>) {
        self.init(names: tags.compactMap { UserTag.name(in: $0) })
    }

    /// Derives the owner from an installation.
    ///
    /// - Parameter installation: The installation as stored by the hub.
    init(of installation: Installation) {
        let names = installation.tags.compactMap { UserTag.name(in: $0) }
        self.init(names: names + [installation.userID].compactMap(\.self))
    }

    private init(names: [String]) {
        let names = Set(names.map(\.lowercasedASCII))
        self =
            switch names.count {
            case 0: .nobody
            case 1: names.first.map { .user($0) } ?? .nobody
            default: .disputed
            }
    }

    /// Whether the user is the owner.
    func isUser(_ user: GatewayUser) -> Bool { self == .user(user.name.lowercasedASCII) }

    /// Whether a user may change the record.
    ///
    /// - Returns: `true` if the record has no owner or belongs to the user.
    func admits(_ user: GatewayUser) -> Bool { self == .nobody || isUser(user) }
}

/// The tags that address a user's devices: `username:NAME`, and `$UserId:{NAME}`, which the hub derives from an installation's
/// user.
enum UserTag {
    private static let prefix = "username:"
    private static let hubPrefix = "$userid:{"

    /// Returns the name in a user's tag, ignoring the case of its prefix, because the hub may do so too.
    static func name(in tag: Tag) -> String? {
        let text = tag.description
        if isReserved(text) { return String(text.dropFirst(prefix.count)) }
        guard text.prefix(hubPrefix.count).isEqualIgnoringASCIICase(to: hubPrefix), text.hasSuffix("}") else {
            return nil
        }
        return String(text.dropFirst(hubPrefix.count).dropLast())
    }

    /// Whether a text begins like a user's tag.
    static func isReserved(_ text: String) -> Bool {
        text.prefix(prefix.count).isEqualIgnoringASCIICase(to: prefix)
    }

    /// Whether a tag is set by this server or by the hub, not by a client.
    static func isServers(_ tag: Tag) -> Bool { isReserved(tag.description) || tag.description.hasPrefix("$") }
}

/// The rule for the tags that a client may add to its device and remove from it.
struct ClientTagRule: Sendable {
    /// The tags of the worker's probes; no device may have them.
    let probes: [Tag]

    /// Checks a tag; it may be malformed.
    ///
    /// - Parameters:
    ///   - text: The tag as sent by the client.
    ///   - path: Its position in the body, as a JSON Pointer.
    /// - Throws: ``GatewayRefusal``, 403, if the tag is reserved.
    func check(_ text: String, at path: String) throws(GatewayRefusal) {
        let isReserved =
            UserTag.isReserved(text) || text.hasPrefix("$")
            || probes.contains { text.isEqualIgnoringASCIICase(to: $0.description) }
        guard isReserved else { return }
        throw .forbidden(
            "reserved_tag",
            "Only the server sets tags that begin with username: or $, and the tags of probes.",
            path: path
        )
    }
}
