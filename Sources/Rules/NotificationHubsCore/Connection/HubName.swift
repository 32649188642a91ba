/// The rule for a hub's name (`Constants.cs` of the .NET SDK).
package enum HubName {
    /// Whether a name is valid for a hub.
    ///
    /// - Parameter name: The name.
    /// - Returns: Whether it has 1 to 260 letters, digits, `.`, `-` and `_`.
    package static func isValid(_ name: String) -> Bool {
        (1...260).contains(name.utf8.count) && name.utf8.allSatisfy { $0.isHubNameCharacter }
    }
}

extension UInt8 {
    fileprivate var isHubNameCharacter: Bool {
        isTagCharacter && self != UInt8(ascii: "@") && self != UInt8(ascii: "#") && self != UInt8(ascii: ":")
    }
}
