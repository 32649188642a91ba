import NewsflashConfiguration

extension ConfigurationValueType {
    /// The fault of a value, and what to write instead.
    ///
    /// - Parameter text: The value.
    /// - Returns: `nil` for a value of this type, and for a form that only its reader checks.
    func problem(with text: String) -> String? {
        switch self {
        case .number(let range), .numberOrOff(let range):
            if case .numberOrOff = self, text == "off" { return nil }
            return Int(text).map(range.contains) ?? false
                ? nil : "'\(text)' is not a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .flag: return ["true", "false"].contains(text) ? nil : "'\(text)' is neither true nor false"
        case .choice(let words):
            return words.contains(text) ? nil : "'\(text)' is not one of: \(words.joined(separator: ", "))"
        case .size(let least):
            guard let bytes = Int(configuredBytes: text) else {
                return "'\(text)' is not a size; write a whole number, optionally with KiB, MiB or GiB"
            }
            return Int(configuredBytes: least).map { bytes < $0 } ?? false ? "must be at least \(least)" : nil
        case .form(.rate): return Self.problem(withRate: text)
        case .form(.budget): return text == "off" ? nil : Self.problem(withRate: text)
        case .durationOrOff where text == "off": return nil
        case .anyDuration, .positiveDuration, .durationOrOff, .duration: return problem(withDuration: text)
        case .text, .choices, .form: return nil
        }
    }

    /// Whether the type alone decides about a value. Other forms are checked by their readers.
    var isChecked: Bool {
        switch self {
        case .text, .choices: false
        case .form(let form): form == .rate || form == .budget
        default: true
        }
    }

    private static func problem(withRate text: String) -> String? {
        if let rate = ConfiguredRate(text), !rate.isPerStory { return nil }
        return "'\(text)' is not a rate; write a count and a period, such as 6 per 10m or 20 per hour"
    }

    private func problem(withDuration text: String) -> String? {
        guard let value = Duration(configured: text) else {
            return "'\(text)' is not a duration; write a whole number with ms, s, m, h or d, such as 30s"
        }
        switch self {
        case .duration(let from, let to, let reason):
            guard let low = Duration(configured: from), let high = Duration(configured: to) else { return nil }
            guard !(low...high).contains(value) else { return nil }
            return "must be between \(from) and \(to)" + (reason.isEmpty ? "" : " (\(reason))")
        case .anyDuration: return nil
        default: return value > .zero ? nil : "must be greater than zero, for example 7d"
        }
    }

    /// How values of this type are compared.
    var form: ConfigurationForm {
        switch self {
        case .number, .numberOrOff: .number
        case .anyDuration, .positiveDuration, .durationOrOff, .duration: .duration
        case .size: .size
        case .form(.rate), .form(.budget), .form(.caps): .rate
        case .text, .flag, .choice, .choices, .form: .text
        }
    }
}
