/// A code of an event or of the configuration, in the form in which codes are compared: without regard to ASCII case.
enum CategoryCode: Hashable, Sendable {
    /// Any word: `world`, `edition:uk`.
    case word(String)
    /// An IPTC Media Topic: `medtop:20000756`.
    case topic(UInt32)
    /// One of IPTC's old subject codes: `subj:15054000`.
    case subject(UInt32)

    init(_ text: String) {
        let word = Self.lowercased(text)
        if let number = Self.number(word, after: "medtop:") {
            self = .topic(number)
        } else if let number = Self.number(word, after: "subj:") {
            self = .subject(number)
        } else {
            self = .word(word)
        }
    }

    /// The code and what stands above it, nearest first.
    ///
    /// A topic goes up to its root. A subject code, three digits a level, goes over the topic that took its place, then to
    /// the next level of its own.
    func forEachOnTheWayUp(in topics: MediaTopics = .shipped, _ body: (CategoryCode) -> Void) {
        switch self {
        case .word: body(self)
        case .topic(let code):
            var next: UInt32? = code
            while let code = next {
                body(.topic(code))
                next = topics.parent(of: code)
            }
        case .subject(let code):
            var seen: [UInt32] = []
            for level in [code, code / 1_000 * 1_000, code / 1_000_000 * 1_000_000] where !seen.contains(level) {
                seen.append(level)
                body(.subject(level))
                if let topic = topics.topic(forSubject: level) {
                    CategoryCode.topic(topic).forEachOnTheWayUp(in: topics, body)
                }
            }
        }
    }

    /// Whether IPTC asks not to use it any more: a topic that it retired, or one of the subject codes of old where a topic
    /// had to be found for it.
    ///
    /// - Parameter step: The code on its way up that a rule names; `nil` where none does.
    /// - Returns: `false` for words of the desk.
    func isRetired(through step: CategoryCode?) -> Bool {
        switch (self, step) {
        case (.topic(let number), _): MediaTopics.shipped.isRetired(number)
        case (.subject, .topic): true
        default: false
        }
    }

    static func lowercased(_ text: String) -> String {
        let isLower = text.utf8.allSatisfy { $0 < UInt8(ascii: "A") || $0 > UInt8(ascii: "Z") }
        if isLower { return text }
        let bytes = text.utf8.map { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") ? $0 | 0x20 : $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The eight digits after a prefix; `nil` where there is anything else.
    private static func number(_ word: String, after prefix: String) -> UInt32? {
        guard word.hasPrefix(prefix) else { return nil }
        let digits = word.utf8.dropFirst(prefix.utf8.count)
        let areDigits = digits.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        return areDigits && digits.count == 8 ? UInt32(Substring(digits)) : nil
    }
}

extension CategoryCode: CustomStringConvertible {
    /// The code as a configuration writes it.
    var description: String {
        switch self {
        case .word(let word): word
        case .topic(let code): "medtop:" + Self.eightDigits(code)
        case .subject(let code): "subj:" + Self.eightDigits(code)
        }
    }

    private static func eightDigits(_ number: UInt32) -> String {
        let digits = String(number)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
