/// The type of a key's value.
package enum ConfigurationValueType: Sendable, Equatable {
    /// Any text with a number of characters.
    case text(ClosedRange<Int>)
    /// A whole number.
    case number(ClosedRange<Int>)
    /// A whole number, or `off`.
    case numberOrOff(ClosedRange<Int>)
    /// A duration that may be zero.
    case anyDuration
    /// A duration greater than zero.
    case positiveDuration
    /// A duration within bounds, and the reason for them.
    case duration(from: String, to: String, because: String = "")
    /// A duration greater than zero, or `off`.
    case durationOrOff
    /// A number of bytes.
    case size(atLeast: String)
    /// `true` or `false`.
    case flag
    /// One of some words.
    case choice([String])
    /// One of some words, or a list of them.
    case choices([String])
    /// A value of a named form, such as a topic or a time zone.
    case form(ValueForm)

    /// The type and range in words, for the reference page.
    var words: String {
        switch self {
        case .text(let length): length.upperBound == .max ? "text" : "text of at most \(length.upperBound) characters"
        case .number(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .numberOrOff(let range): "\(range.lowerBound) to \(range.upperBound), or off"
        case .anyDuration: "duration"
        case .positiveDuration: "duration above zero"
        case .duration(let from, let to, because: ""): "duration from \(from) to \(to)"
        case .duration(let from, let to, let reason): "duration from \(from) to \(to) (\(reason))"
        case .durationOrOff: "duration above zero, or off"
        case .size(let least): "size of at least \(least)"
        case .flag: "true or false"
        case .choice(let words): words.joined(separator: ", ")
        case .choices(let words): "one or several of \(words.joined(separator: ", "))"
        case .form(let form): form.words
        }
    }

    /// The schema of a value, as the members of an object in JSON without its braces.
    var schema: String {
        switch self {
        case .text(let length):
            (length.lowerBound > 0 ? #""type": "string", "minLength": \#(length.lowerBound)"# : #""type": "string""#)
                + (length.upperBound < .max ? #", "maxLength": \#(length.upperBound)"# : "")
        case .number(let range):
            ##""$ref": "#/$defs/count", "minimum": \##(range.lowerBound), "maximum": \##(range.upperBound)"##
        case .numberOrOff(let range):
            #""anyOf": [{"type": "integer", "minimum": \#(range.lowerBound), "maximum": \#(range.upperBound)}, "#
                + #"{"type": "string", "pattern": "^([0-9]+|off)$", "maxLength": \#("\(range.upperBound)".count)}]"#
        case .anyDuration, .positiveDuration, .duration: ##""$ref": "#/$defs/duration""##
        case .durationOrOff: ##""anyOf": [{"$ref": "#/$defs/duration"}, {"const": "off"}]"##
        case .size: ##""$ref": "#/$defs/size""##
        case .flag: ##""$ref": "#/$defs/flag""##
        case .choice(let words): #""enum": [\#(Self.list(words))]"#
        case .choices(let words):
            #""anyOf": [{"enum": [\#(Self.list(words))]}, {"type": "array", "maxItems": \#(words.count), "#
                + #""uniqueItems": true, "items": {"enum": [\#(Self.list(words))]}}]"#
        case .form(let form): ##""$ref": "#/$defs/\##(form.definition)""##
        }
    }

    /// Words as a list in JSON without brackets; they need no escapes.
    private static func list(_ words: [String]) -> String {
        words.map { "\"\($0)\"" }.joined(separator: ", ")
    }

    /// A default as JSON: a number or a truth value if the type has them, otherwise a string.
    func json(of value: String) -> String {
        switch self {
        case .number, .numberOrOff: Int(value).map { "\($0)" } ?? "\"\(value)\""
        case .flag: value
        case .form(.itemTypes), .form(.hostNames):
            "[" + Self.list(value.split(separator: ",").map { $0.trimmingPrefix(" ") }.map(String.init)) + "]"
        default: "\"\(value)\""
        }
    }
}
