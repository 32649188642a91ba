import StrictJSON
import Timestamps

/// How one value is taken from a document.
package struct FieldRule: Sendable, Equatable {
    /// How a time is written.
    package enum Time: String, Sendable, CaseIterable {
        /// RFC 3339; the colon in the offset may be missing.
        case rfc3339
        case epochSeconds
        case epochMilliseconds
    }

    /// Where the value is; nothing for one that is the same in all documents.
    package var pointer: FieldPointer?
    /// Other words for the words of the document; a word without another stays as it is. An empty text counts as missing.
    package var map: [String: String]
    /// Stands in for a value that is missing.
    package var standard: String?
    /// Put before what is found.
    package var prefix: String
    /// For times, and for revisions that are times.
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

    /// The values of a document; empty texts count as missing.
    func values(in document: JSONValue) -> [FieldValue] {
        let found = pointer?.values(in: document).compactMap(\.fieldWord).filter { !$0.isEmpty } ?? []
        let words = found.compactMap { word in
            let text = map[word] ?? word
            return text.isEmpty ? nil : FieldValue(text: prefix + text, form: time)
        }
        guard words.isEmpty, let standard else { return words }
        return [FieldValue(text: standard, form: time)]
    }

    /// The values of a member that restricts: nothing that is there is left out, because it cannot be read.
    ///
    /// - Parameters:
    ///   - document: Any.
    ///   - ignoresCase: Whether words are looked up in ``map`` without regard to case.
    /// - Returns: All that was found, in order.
    func restrictions(in document: JSONValue, ignoresCase: Bool = false) -> [FieldRestriction] {
        let found = (pointer?.values(in: document) ?? []).compactMap { value -> FieldRestriction? in
            guard let word = value.fieldWord else { return .unreadable(value) }
            guard let text = map[word] ?? (ignoresCase ? mapped(word) : nil) else {
                return word.isEmpty
                    ? .unreadable(value) : .value(FieldValue(text: prefix + word, form: time), isMapped: false)
            }
            return text.isEmpty ? nil : .value(FieldValue(text: prefix + text, form: time), isMapped: true)
        }
        guard found.isEmpty, let standard else { return found }
        return [.value(FieldValue(text: standard, form: time), isMapped: true)]
    }

    private func mapped(_ word: String) -> String? {
        let word = word.lowercased()
        return map.first { $0.key.lowercased() == word }?.value
    }
}

/// The finding of a rule for a member that restricts.
enum FieldRestriction {
    /// A value, and whether the rule's map or default named it.
    case value(FieldValue, isMapped: Bool)
    /// Something that is not a word.
    case unreadable(JSONValue)
}

/// What was found for a member, as a text and as what the member needs.
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

    /// The value as a number, or as it is for the schema to refuse.
    var number: JSONValue { int64.map { .number(JSONNumber($0)) } ?? .string(text) }

    /// The value as a time of RFC 3339, or as it is for the schema to refuse.
    var time: String {
        switch form {
        case .rfc3339, nil: FeedTime.rfc3339(text)
        case .epochSeconds, .epochMilliseconds: instant?.rfc3339 ?? text
        }
    }

    private var instant: Timestamp? {
        guard let number = JSONNumber(text) else { return nil }
        let scale = form == .epochSeconds ? 1000.0 : 1
        if scale == 1, let milliseconds = number.int64 { return Timestamp(milliseconds: milliseconds) }
        return Int64(exactly: (number.double * scale).rounded()).map { Timestamp(milliseconds: $0) }
    }
}

extension [FieldRule] {
    /// The finding of the first rule that finds anything.
    func restriction(in document: JSONValue, ignoresCase: Bool = false) -> FieldRestriction? {
        for rule in self {
            if let found = rule.restrictions(in: document, ignoresCase: ignoresCase).first { return found }
        }
        return nil
    }

    /// The value of the first rule that finds one.
    func first(in document: JSONValue) -> FieldValue? {
        for rule in self {
            if let value = rule.values(in: document).first { return value }
        }
        return nil
    }
}

extension JSONValue {
    /// A text, number or truth value as a word.
    fileprivate var fieldWord: String? { word ?? bool.map { $0 ? "true" : "false" } }
}
