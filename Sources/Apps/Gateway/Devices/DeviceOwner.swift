import ASCII
import NotificationHubs

/// Whose a registration or an installation is: the hub keeps it as the tag `username:NAME`, which only the server sets.
enum DeviceOwner: Sendable, Equatable {
    /// Nobody has it: it was made past this server, or not at all.
    case nobody
    case user(String)
    /// Tags that contradict each other: someone else than this server has set them.
    case disputed

    /// Reads the owner off tags.
    ///
    /// - Parameters:
    ///   - tags: All tags of a registration or an installation.
    ///   - userID: That of an installation.
    init(tags: some Sequence<Tag>, userID: String? = nil) {
        var names = Set(tags.compactMap { UserTag.name(in: $0) })
        if let userID { names.insert(userID) }
        self =
            switch names.count {
            case 0: .nobody
            case 1: names.first.map { .user($0) } ?? .nobody
            default: .disputed
            }
    }

    /// Whether a user may change it.
    ///
    /// - Parameter user: Signed in.
    /// - Returns: What nobody has, and what is the user's own.
    func admits(_ user: GatewayUser) -> Bool {
        switch self {
        case .nobody: true
        case .user(let name): name == user.name
        case .disputed: false
        }
    }
}

/// The tag by which a user's devices are reached, `username:NAME`.
enum UserTag {
    private static let prefix = "username:"

    /// The name in a tag of a user, however its prefix is written: the hub may not mind the case.
    static func name(in tag: Tag) -> String? {
        isReserved(tag.description) ? String(tag.description.dropFirst(prefix.count)) : nil
    }

    /// Whether a text begins like the tag of a user.
    static func isReserved(_ text: String) -> Bool {
        text.prefix(prefix.count).isEqualIgnoringASCIICase(to: prefix)
    }
}

/// Which tags a client may give its device.
struct ClientTagRule: Sendable {
    /// The tags of the worker's probes, which no device may have.
    let probes: [Tag]

    /// Holds a client's tag to the rule.
    ///
    /// - Parameters:
    ///   - tag: As the client wrote it.
    ///   - path: Where it stands.
    /// - Throws: ``GatewayRefusal``, 403.
    func check(_ tag: Tag, at path: String) throws(GatewayRefusal) {
        let text = tag.description
        guard !UserTag.isReserved(text) else {
            throw .forbidden("reserved_tag", "Tags that begin with username: are set by the server alone.", path: path)
        }
        guard !text.hasPrefix("$") else {
            throw .forbidden("reserved_tag", "Tags that begin with $ are set by the hub alone.", path: path)
        }
        guard !probes.contains(where: { text.isEqualIgnoringASCIICase(to: $0.description) }) else {
            throw .forbidden("reserved_tag", "This tag is for probes, which no device may hear.", path: path)
        }
    }
}
