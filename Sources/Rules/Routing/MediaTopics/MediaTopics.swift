/// The tree of IPTC Media Topics, because a code itself does not show its parent.
struct MediaTopics: Sendable {
    /// The release that the package contains; parsed once, at the first access.
    static let shipped = MediaTopics(words)

    private struct Concept {
        let parent: UInt32?
        let isRetired: Bool
    }

    private var concepts: [UInt32: Concept] = [:]
    private var topicBySubject: [UInt32: UInt32] = [:]

    /// The number of concepts, including retired ones.
    var count: Int { concepts.count }

    func contains(_ code: UInt32) -> Bool { concepts[code] != nil }

    /// Whether IPTC has retired a code. A retired code keeps its last parent.
    func isRetired(_ code: UInt32) -> Bool { concepts[code]?.isRetired ?? false }

    func parent(of code: UInt32) -> UInt32? { concepts[code]?.parent }

    /// The topic that replaced one of IPTC's old subject codes; the one in use if there are two.
    func topic(forSubject subject: UInt32) -> UInt32? { topicBySubject[subject] }

    private init(_ words: String) {
        concepts.reserveCapacity(1_500)
        topicBySubject.reserveCapacity(1_000)
        var path: [UInt32] = []
        for word in words.utf8.split(whereSeparator: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }) {
            let sides = word.split(separator: UInt8(ascii: "="))
            let name = sides[0].split(separator: UInt8(ascii: "."))
            let isRetired = name[1].last == UInt8(ascii: "-")
            let digits = isRetired ? name[1].dropLast() : name[1]
            let number = Self.number(digits)
            let code = digits.count == 4 ? 20_000_000 + number : number
            path.removeLast(path.count - Int(Self.number(name[0])) + 1)
            concepts[code] = Concept(parent: path.last, isRetired: isRetired)
            path.append(code)
            guard sides.count == 2 else { continue }
            let subject = Self.number(sides[1])
            if topicBySubject[subject] == nil || !isRetired { topicBySubject[subject] = code }
        }
    }

    private static func number(_ digits: Substring.UTF8View) -> UInt32 {
        digits.reduce(0) { $0 * 10 + UInt32($1 - UInt8(ascii: "0")) }
    }
}
