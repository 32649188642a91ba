import Signing

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
