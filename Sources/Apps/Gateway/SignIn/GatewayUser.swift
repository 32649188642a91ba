import ASCII
package import NotificationHubs

/// A signed-in person or program.
package struct GatewayUser: Sendable, Hashable {
    /// The maximum number of characters in a name.
    package static let maximumLength = UserName.maximumLength

    /// The name as in the tag `username:`: only lower-case letters, digits and `_ @ # . -`.
    package let name: String
    /// The tag of the user's devices, `username:NAME`.
    package let tag: Tag

    /// Creates a user.
    ///
    /// The name is converted to lower case, because names that differ only in case may be the same for the hub.
    ///
    /// - Parameter name: The name. The result is `nil` if it is empty, too long, or has a character that is not allowed in a
    ///   tag after
    ///   `username:`, so that a name cannot change a tag expression.
    package init?(_ name: String) {
        let name = name.lowercasedASCII
        guard UserName.isValid(name), let tag = try? Tag("username:" + name) else { return nil }
        self.name = name
        self.tag = tag
    }
}
