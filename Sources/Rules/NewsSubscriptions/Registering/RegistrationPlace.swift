import Signing

/// A registry and the person whom it knows there. Ids of one place mean nothing at another.
struct RegistrationPlace: Hashable, Sendable {
    /// The digest of the kind of registration and of its server's address.
    var address: String
    /// The digest of the user's name; empty at a hub, which knows devices only.
    var owner: String

    /// Names a place.
    ///
    /// - Parameters:
    ///   - kind: `hub`, `register` or `installation`.
    ///   - url: The address of the hub or the back end.
    ///   - user: The name of the user who has signed in; `nil` at a hub.
    init(kind: String, url: String, user: String?) {
        address = Self.digest(of: [kind, url])
        owner = user.map { Self.digest(of: ["user", $0]) } ?? ""
    }

    init(address: String, owner: String) {
        self.address = address
        self.owner = owner
    }

    /// The digest of some texts, none of which can pass for a part of another.
    static func digest(of parts: [String]) -> String {
        Base64.encode(SHA256Digest.hash(of: bytes(of: parts)))
    }

    /// The texts as bytes, each after its length.
    static func bytes(of parts: [String]) -> [UInt8] {
        parts.flatMap { Array("\($0.utf8.count):".utf8) + Array($0.utf8) }
    }
}
