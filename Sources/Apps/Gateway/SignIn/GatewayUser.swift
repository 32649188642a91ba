import ASCII
package import NotificationHubs

/// A person or a program that has signed in.
package struct GatewayUser: Sendable, Hashable {
    /// The longest name, in characters.
    package static let maximumLength = UserName.maximumLength

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
        guard UserName.isValid(name), let tag = try? Tag("username:" + name) else { return nil }
        self.name = name
        self.tag = tag
    }
}
