import ASCII

/// Names of the properties of a template message.
public enum TemplateProperty {
    /// The most characters of a name.
    public static let maximumNameLength = 120

    /// Whether templates can name such a property.
    ///
    /// - Parameter name: 1 to ``maximumNameLength`` of `A-Z a-z 0-9 _`.
    /// - Returns: `false` for anything else.
    public static func isValid(name: String) -> Bool {
        (1...maximumNameLength).contains(name.utf8.count) && name.utf8.allSatisfy { $0.isPropertyCharacter }
    }

    static func check(name: String) throws(HubMessageError) {
        guard isValid(name: name) else {
            throw HubMessageError(
                .invalidProperty,
                "a property's name has 1 to \(maximumNameLength) of the characters A-Z a-z 0-9 _; this one is not so: "
                    + name.prefix(maximumNameLength)
            )
        }
    }
}

extension UInt8 {
    /// Whether a property's name may have it.
    var isPropertyCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
        default: isDigit
        }
    }
}
