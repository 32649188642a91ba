import ASCII
import NotificationHubs

/// Whose a registration or an installation is: the hub keeps it as the tag `username:NAME`, which only the server sets.
enum DeviceOwner: Sendable, Equatable {
    /// Nobody has it: it was made past this server, or not at all.
    case nobody
    /// A name in lower case: to the hub two that differ in case only are one.
    case user(String)
    /// Tags that contradict each other: someone else than this server has set them.
    case disputed

    /// Reads the owner off tags.
    ///
    /// - Parameter tags: All tags of a registration.
    init(tags: some Sequence<Tag>) {
        self.init(names: tags.compactMap { UserTag.name(in: $0) })
    }

    /// Reads the owner off an installation.
    ///
    /// - Parameter installation: As the hub has it.
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

    /// Whether it is a user's.
    func isUser(_ user: GatewayUser) -> Bool { self == .user(user.name.lowercasedASCII) }

    /// Whether a user may change it.
    ///
    /// - Parameter user: Signed in.
    /// - Returns: What nobody has, and what is the user's own.
    func admits(_ user: GatewayUser) -> Bool { self == .nobody || isUser(user) }
}

/// The tags by which a user's devices are reached: `username:NAME`, and `$UserId:{NAME}`, which the hub makes of an
/// installation's user.
enum UserTag {
    private static let prefix = "username:"
    private static let hubPrefix = "$userid:{"

    /// The name in a tag of a user, however its prefix is written: the hub may not mind the case.
    static func name(in tag: Tag) -> String? {
        let text = tag.description
        if isReserved(text) { return String(text.dropFirst(prefix.count)) }
        guard text.prefix(hubPrefix.count).isEqualIgnoringASCIICase(to: hubPrefix), text.hasSuffix("}") else {
            return nil
        }
        return String(text.dropFirst(hubPrefix.count).dropLast())
    }

    /// Whether a text begins like the tag of a user.
    static func isReserved(_ text: String) -> Bool {
        text.prefix(prefix.count).isEqualIgnoringASCIICase(to: prefix)
    }

    /// Whether a tag is set by this server or by the hub, and not by a client.
    static func isServers(_ tag: Tag) -> Bool { isReserved(tag.description) || tag.description.hasPrefix("$") }
}

/// Which tags a client may give its device, and take from it.
struct ClientTagRule: Sendable {
    /// The tags of the worker's probes, which no device may have.
    let probes: [Tag]

    /// Checks a tag, also one that is not well formed.
    ///
    /// - Parameters:
    ///   - text: As the client wrote it.
    ///   - path: The place in the body, as a JSON Pointer.
    /// - Throws: ``GatewayRefusal``, 403.
    func check(_ text: String, at path: String) throws(GatewayRefusal) {
        let isReserved =
            UserTag.isReserved(text) || text.hasPrefix("$")
            || probes.contains { text.isEqualIgnoringASCIICase(to: $0.description) }
        guard isReserved else { return }
        throw .forbidden(
            "reserved_tag",
            "Tags that begin with username: or $, and those of probes, are set by the server alone.",
            path: path
        )
    }
}
