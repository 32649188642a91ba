import NewsflashStrictJSON
import NewsflashTimestamps

/// A rule that reads one value from a document.
package struct FieldRule: Sendable, Equatable {
    /// The format of a time.
    package enum Time: String, Sendable, CaseIterable {
        /// RFC 3339; the colon in the offset may be missing.
        case rfc3339
        case epochSeconds
        case epochMilliseconds
    }

    /// The place of the value; `nil` if it is the same in all documents.
    package var pointer: FieldPointer?
    /// Replacements for words of the document; an unmapped word is not changed. An empty text counts as missing.
    package var map: [String: String]
    /// The default for a missing value.
    package var standard: String?
    /// The prefix of found values.
    package var prefix: String
    /// The format of times, and of revisions that are times.
    package var time: Time?

    package init(
        _ pointer: FieldPointer?,
        map: [String: String] = [:],
        default standard: String? = nil,
        prefix: String = "",
        time: Time? = nil
    ) {
        self.pointer = pointer
        self.map = map
        self.standard = standard
        self.prefix = prefix
        self.time = time
    }

    /// The values in a document; empty texts count as missing.
    func values(in document: JSONValue) -> [FieldValue] {
        let found = pointer?.values(in: document).compactMap(\.fieldWord).filter { !$0.isEmpty } ?? []
        let words = found.compactMap { word in
            let text = map[word] ?? word
            return text.isEmpty ? nil : FieldValue(text: prefix + text, form: time)
        }
        guard words.isEmpty, let standard else { return words }
        return [FieldValue(text: standard, form: time)]
    }

    /// The values of a member that restricts; unreadable values are reported, not left out.
    ///
    /// Words are looked up in ``map`` regardless of case; words for yes and no, such as `1` and `off`, also as `true` and
    /// `false`.
    ///
    /// - Parameters:
    ///   - document: A document of any form.
    ///   - isOfEach: Whether each element of a list must have a value.
    /// - Returns: All findings, in order, without the default.
    func restrictions(in document: JSONValue, isOfEach: Bool = false) -> [FieldRestriction] {
        (pointer?.findings(in: document, isOfEach: isOfEach) ?? []).compactMap { finding in
            switch finding {
            case .obstacle(let value): return .obstacle(value)
            case .value(let value):
                guard let word = value.fieldWord else { return .unreadable(value) }
                if let text = mapped(word) {
                    return text.isEmpty ? nil : .value(FieldValue(text: prefix + text, form: time), isMapped: true)
                }
                return word.isEmpty
                    ? .unreadable(value) : .value(FieldValue(text: prefix + word, form: time), isMapped: false)
            }
        }
    }

    /// The default as a finding; `nil` if absent.
    var standardRestriction: FieldRestriction? {
        standard.map { .value(FieldValue(text: $0, form: time), isMapped: true) }
    }

    private func mapped(_ word: String) -> String? {
        if map.isEmpty { return nil }
        if let text = map[word] { return text }
        let words = [word.lowercased(), word.truth.map { $0 ? "true" : "false" }]
        return words.lazy.compactMap { word in map.first { $0.key.lowercased() == word }?.value }.first
    }
}

/// The finding of a rule for a member that restricts.
enum FieldRestriction {
    /// A value, and whether it comes from the rule's map or default.
    case value(FieldValue, isMapped: Bool)
    /// A value that is not a word.
    case unreadable(JSONValue)
    /// A value on the path of the pointer that has no members or elements.
    case obstacle(JSONValue)

    /// The complaint; `nil` for a value.
    var complaint: String? {
        switch self {
        case .value: nil
        case .unreadable(let value): "must be a word, is \(value.typeName)"
        case .obstacle(let value): "cannot be found: the path ends at \(value.typeName)"
        }
    }
}

/// The value found for a member, as a text and in the type that the member needs.
struct FieldValue {
    let text: String
    let form: FieldRule.Time?

    /// The value as a whole number; a time in milliseconds.
    var int64: Int64? {
        switch form {
        case .rfc3339: FeedTime.milliseconds(.string(text))
        case .epochSeconds, .epochMilliseconds: instant?.milliseconds
        case nil: JSONNumber(text)?.int64 ?? Int64(digits: text)
        }
    }

    /// The value as a number, or unchanged if it is not a number, so that the schema rejects it.
    var number: JSONValue { int64.map { .number(JSONNumber($0)) } ?? .string(text) }

    /// The value as a time of RFC 3339, or unchanged if it is not a time, so that the schema rejects it.
    var time: String {
        switch form {
        case .rfc3339, nil: FeedTime.rfc3339(text)
        case .epochSeconds, .epochMilliseconds: instant?.rfc3339 ?? text
        }
    }

    /// The complaint about a number in another unit than its rule has; `nil` without a fault. 100,000,000,000 is the year
    /// 5138 in seconds, and the year 1973 in milliseconds.
    var complaint: String? {
        guard let number = JSONNumber(text)?.double else { return nil }
        switch form {
        case .epochSeconds where number >= 100_000_000_000:
            return "must be in seconds, as configured, but looks like milliseconds"
        case .epochMilliseconds where (1_000_000_000..<100_000_000_000).contains(number):
            return "must be in milliseconds, as configured, but looks like seconds"
        default: return nil
        }
    }

    private var instant: Timestamp? {
        guard complaint == nil, let number = JSONNumber(text) else { return nil }
        let scale = form == .epochSeconds ? 1000.0 : 1
        if scale == 1, let milliseconds = number.int64 { return Timestamp(milliseconds: milliseconds) }
        return Int64(exactly: (number.double * scale).rounded()).map { Timestamp(milliseconds: $0) }
    }
}

extension [FieldRule] {
    /// The finding of the first rule that finds anything, or has a default.
    func restriction(in document: JSONValue) -> FieldRestriction? {
        for rule in self {
            if let found = rule.restrictions(in: document).first ?? rule.standardRestriction { return found }
        }
        return nil
    }

    /// The findings of all rules; if they find nothing, their first default.
    func restrictions(in document: JSONValue, isOfEach: Bool = false) -> [FieldRestriction] {
        let found = flatMap { $0.restrictions(in: document, isOfEach: isOfEach) }
        guard found.isEmpty else { return found }
        return compactMap(\.standardRestriction).prefix(1).map(\.self)
    }

    /// The value of the first rule that finds one.
    func first(in document: JSONValue) -> FieldValue? {
        for rule in self {
            if let value = rule.values(in: document).first { return value }
        }
        return nil
    }
}

extension String {
    /// The boolean for a word for yes or no, regardless of case; `nil` for another word.
    var truth: Bool? {
        switch lowercased() {
        case "true", "1", "yes", "y", "on": true
        case "false", "0", "no", "n", "off": false
        default: nil
        }
    }
}

extension JSONValue {
    /// A text, number or boolean as a word.
    fileprivate var fieldWord: String? { word ?? bool.map { $0 ? "true" : "false" } }
}
