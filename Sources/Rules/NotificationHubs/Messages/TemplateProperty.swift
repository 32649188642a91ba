import ASCII

/// Names of the properties of a template message.
public enum TemplateProperty {
    /// The maximum number of characters in a name.
    public static let maximumNameLength = 120

    /// Whether templates can refer to a property of this name.
    ///
    /// - Parameter name: The name.
    /// - Returns: Whether it has 1 to ``maximumNameLength`` of the characters `A-Z a-z 0-9 _`.
    public static func isValid(name: String) -> Bool {
        (1...maximumNameLength).contains(name.utf8.count) && name.utf8.allSatisfy { $0.isPropertyCharacter }
    }

    static func check(name: String) throws(HubMessageError) {
        guard isValid(name: name) else {
            throw HubMessageError(
                .invalidProperty,
                "a property's name must have 1 to \(maximumNameLength) of the characters A-Z a-z 0-9 _: "
                    + name.prefix(maximumNameLength)
            )
        }
    }
}

extension UInt8 {
    /// Whether the character is allowed in a property's name.
    var isPropertyCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
        default: isDigit
        }
    }
}
