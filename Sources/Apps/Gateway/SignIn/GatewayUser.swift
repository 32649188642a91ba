import ASCII
package import NotificationHubs

/// A person or a program that has signed in.
package struct GatewayUser: Sendable, Hashable {
    /// The longest name, in characters.
    package static let maximumLength = 64

    /// As in the tag `username:`: lower case letters, digits and `_ @ # . -` only.
    package let name: String
    /// The tag of the user's devices, `username:NAME`.
    package let tag: Tag

    /// Makes a user.
    ///
    /// Case does not count, since to the hub two names that differ in case only may be one.
    ///
    /// - Parameter name: Nothing is made of one that is empty, too long, or has characters that no tag may have after its
    ///   first colon, so that no name can say anything in a tag expression.
    package init?(_ name: String) {
        let name = name.lowercasedASCII
        guard (1...Self.maximumLength).contains(name.utf8.count), name.utf8.allSatisfy(Self.allows),
            let tag = try? Tag("username:" + name)
        else { return nil }
        self.name = name
        self.tag = tag
    }

    private static func allows(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "@"), UInt8(ascii: "#"),
            UInt8(ascii: "."), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
