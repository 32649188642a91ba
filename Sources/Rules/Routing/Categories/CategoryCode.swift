import NewsflashBasics

/// A code of an event or of the configuration, in the form for comparisons, which ignore ASCII case.
enum CategoryCode: Hashable, Sendable {
    /// Any word: `world`, `edition:uk`.
    case word(String)
    /// An IPTC Media Topic: `medtop:20000756`.
    case topic(UInt32)
    /// One of IPTC's old subject codes: `subj:15054000`.
    case subject(UInt32)

    init(_ text: String) {
        if let number = Self.number(text, after: "medtop:") {
            self = .topic(number)
        } else if let number = Self.number(text, after: "subj:") {
            self = .subject(number)
        } else {
            self = .word(text.lowercasedASCII)
        }
    }

    /// Calls a body for the code and its ancestors, nearest first.
    ///
    /// A topic goes up to its root. A subject code has three digits for each level. It goes on with the topic that replaced it,
    /// then with its own next level.
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

    /// Whether IPTC advises against the code: a retired topic, or an old subject code that was mapped by the topic that
    /// replaced it.
    ///
    /// - Parameter step: The code or ancestor that a rule contains; `nil` if absent.
    /// - Returns: `false` for words of the desk.
    func isRetired(through step: CategoryCode?) -> Bool {
        switch (self, step) {
        case (.topic(let number), _): MediaTopics.shipped.isRetired(number)
        case (.subject, .topic): true
        default: false
        }
    }

    /// The eight digits after a prefix of any case; `nil` if the text has another form.
    private static func number(_ text: String, after prefix: StaticString) -> UInt32? {
        guard text.utf8.count == prefix.utf8CodeUnitCount + 8 else { return nil }
        var text = text
        return text.withUTF8 { text in
            prefix.withUTF8Buffer { prefix in
                for place in prefix.indices where unsafe text[place].lowercasedASCII != prefix[place] { return nil }
                var number: UInt32 = 0
                for place in prefix.count..<text.count {
                    let digit = unsafe text[place] &- UInt8(ascii: "0")
                    guard digit < 10 else { return nil }
                    number = number &* 10 &+ UInt32(digit)
                }
                return number
            }
        }
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
