import NewsflashBasics
import NewsflashStrictJSON

/// The members of a value that may contain its instruction, found although the value cannot be parsed as a document: it is
/// too large or too deep, has a name twice, is not UTF-8, or is malformed.
///
/// Reading takes time linear in the length of the value. At most 16,384 values are kept, and of texts that cannot name a
/// story the first 1,024 bytes. After a break, which is a syntax error, reading continues at the next name that is read. It
/// starts in the same way if the value does not begin with an object, for example with two byte order marks or the text
/// of a log.
struct RecordSketch {
    /// The members found, as an object. A name that occurs with different values has several members.
    private(set) var document: JSONValue = .object([])
    /// Whether the value is one complete document. Otherwise it is truncated or is not JSON.
    private(set) var isWhole = false
    /// Whether a name occurs with different values.
    private(set) var isAmbiguous = false

    private static let longestText = 1024
    private static let longestName = 128
    private static let longestWord = 64
    private static let deepest = 24
    private static let mostValues = 8
    private static let mostNodes = 16_384
    private static let mostNodesOfMember = 1024
    /// Members that can contain the record.
    static let containers: Set<String> = ["data", "item", "items"]

    private let places: RecordPlaces
    private var position = 0
    private var nodes = 0
    private var nodesOfMember = 0
    /// Whether there is a break at the current position.
    private var isBroken = false
    private var wasBroken = false
    /// The number of attempts to continue after a break.
    private var breaks = 0
    /// The position at which to look for the next name after a break; `nil` for the beginning of the member with the break.
    private var resumption: Int?
    /// The number of bytes that may be read again after breaks.
    private var rereadable: Int
    /// The members found after a break; the objects around them may have ended.
    private var strays: [JSONMember] = []

    /// Reads a value.
    ///
    /// - Parameters:
    ///   - bytes: The value from the beginning of the document. Of an array, the first element is read.
    ///   - places: The places to keep, at the top level and in `data`, `item` and the first of `items`.
    init(_ bytes: Span<UInt8>, places: RecordPlaces) {
        self.places = places
        rereadable = 4 * bytes.count
        skipSpace(bytes)
        let isList = consume(UInt8(ascii: "["), bytes)
        skipSpace(bytes)
        if peek(bytes) == UInt8(ascii: "{") { position += 1 } else { wasBroken = true }
        var members = object(bytes, places, depth: 0, isRecord: true).object ?? []
        for stray in strays where !members.contains(where: { $0.name == stray.name }) { members.append(stray) }
        document = .object(members)
        skipSpace(bytes)
        if isList, consume(UInt8(ascii: "]"), bytes) { skipSpace(bytes) } else if isList { wasBroken = true }
        isWhole = !wasBroken && position == bytes.count
    }

    // MARK: Values

    /// Reads an object after its opening brace; it may be the record itself. If it breaks, the members found so far count.
    private mutating func object(_ bytes: Span<UInt8>, _ places: RecordPlaces, depth: Int, isRecord: Bool) -> JSONValue
    {
        var members: [JSONMember] = []
        var isRecovered = false
        skipSpace(bytes)
        if consume(UInt8(ascii: "}"), bytes) { return .object(members) }
        while true {
            skipSpace(bytes)
            var start = position
            let breaksBefore = breaks
            if let name = text(bytes, most: Self.longestName), skipped(UInt8(ascii: ":"), bytes) {
                skipSpace(bytes)
                start = position
                if isRecord { nodesOfMember = 0 }
                let isContainer = isRecord && Self.containers.contains(name.lowercasedASCII)
                if let inside = isContainer ? record(inside: places[name]) : places[name] {
                    let found = value(bytes, inside, depth: depth + 1, isRecord: isContainer, isMember: isRecord)
                    if let found {
                        add(JSONMember(name: name, value: found), to: &members)
                        if isRecovered, strays.count < Self.mostNodesOfMember {
                            strays.append(JSONMember(name: name, value: found))
                        }
                    }
                } else {
                    skip(bytes)
                }
                if !isBroken {
                    skipSpace(bytes)
                    if consume(UInt8(ascii: "}"), bytes) { return .object(members) }
                    if consume(UInt8(ascii: ","), bytes) { continue }
                }
            }
            isBroken = true
            isRecovered = true
            // Bytes that an inner object has searched are not searched again.
            guard goesOn(bytes, from: breaks == breaksBefore ? start : position, places, isRecord: isRecord) else {
                return .object(members)
            }
        }
    }

    private func record(inside places: RecordPlaces?) -> RecordPlaces {
        guard let places else { return self.places }
        var both = self.places
        both.add(places)
        return both
    }

    private mutating func add(_ member: JSONMember, to members: inout [JSONMember]) {
        let same = members.indices.filter { members[$0].name == member.name }
        guard let last = same.last else { return members.append(member) }
        guard members[last].value != member.value else { return }
        isAmbiguous = true
        if same.count < Self.mostValues { members.append(member) } else { members[last] = member }
    }

    private mutating func array(_ bytes: Span<UInt8>, _ places: RecordPlaces, depth: Int, isRecord: Bool) -> JSONValue {
        position += 1
        var elements: [JSONValue] = []
        skipSpace(bytes)
        if consume(UInt8(ascii: "]"), bytes) { return .array(elements) }
        while true {
            skipSpace(bytes)
            // Only the first of several records is read.
            let inside =
                isRecord && !elements.isEmpty
                ? nil
                : places.isSelective && !isRecord
                    ? places[String(elements.count)] : places
            var element: JSONValue?
            if let inside {
                element = value(bytes, inside, depth: depth + 1, isRecord: isRecord)
            } else {
                skip(bytes)
            }
            if elements.count < Self.mostNodesOfMember { elements.append(element ?? .null) }
            if !isBroken {
                skipSpace(bytes)
                if consume(UInt8(ascii: "]"), bytes) { return .array(elements) }
                if consume(UInt8(ascii: ","), bytes) { continue }
            }
            isBroken = true
            return .array(elements)
        }
    }

    /// Reads the value at the current position; `nil` if it was skipped.
    private mutating func value(
        _ bytes: Span<UInt8>,
        _ places: RecordPlaces,
        depth: Int,
        isRecord: Bool = false,
        isMember: Bool = false
    ) -> JSONValue? {
        nodes += 1
        nodesOfMember += 1
        let hasRoom = nodes <= Self.mostNodes && nodesOfMember <= Self.mostNodesOfMember && depth <= Self.deepest
        switch peek(bytes) {
        case UInt8(ascii: "{") where hasRoom:
            position += 1
            return object(bytes, places, depth: depth, isRecord: isRecord)
        case UInt8(ascii: "[") where hasRoom: return array(bytes, places, depth: depth, isRecord: isRecord)
        case UInt8(ascii: "\"") where hasRoom || isMember:
            return text(bytes, most: places.isName ? .max : Self.longestText).map { .string($0) }
        default:
            let start = position
            skip(bytes)
            guard hasRoom || isMember, position - start <= Self.longestWord else { return nil }
            var word: [UInt8] = []
            for index in start..<position { word.append(bytes[index]) }
            return try? JSONReader.read(word)
        }
    }

    // MARK: Breaks

    /// Goes to the next name that is read, in this object or in one around it. Starts at the beginning of the member with the
    /// break, because it may contain a name if a quote is missing. Returns `false` if the name cannot belong to this object.
    private mutating func goesOn(
        _ bytes: Span<UInt8>,
        from start: Int,
        _ places: RecordPlaces,
        isRecord: Bool
    ) -> Bool {
        wasBroken = true
        guard isRecord || places.isSelective else { return false }
        breaks += 1
        if let place = resumption {
            position = place
        } else if position - start <= rereadable {
            rereadable -= position - start
            position = start
        }
        resumption = nil
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "\""), let name = candidate(bytes) {
                if places[name] != nil || isRecord && Self.containers.contains(name.lowercasedASCII) {
                    isBroken = false
                    return true
                }
                if self.places[name] != nil {
                    resumption = position
                    return false
                }
            }
            position += 1
        }
        resumption = position
        return false
    }

    /// Returns a short text at the current position if a colon follows it; the position does not change.
    private func candidate(_ bytes: Span<UInt8>) -> String? {
        var name: [UInt8] = []
        var end = position + 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
            guard name.count < Self.longestName else { return nil }
            name.append(bytes[end])
            end += 1
        }
        end += 1
        // The limit avoids reading the same blanks again and again.
        let limit = min(end + Self.longestWord, bytes.count)
        while end < limit, bytes[end].isSpace { end += 1 }
        guard end < bytes.count, bytes[end] == UInt8(ascii: ":") else { return nil }
        return String(decoding: name, as: UTF8.self)
    }

    /// Skips a value of any depth.
    private mutating func skip(_ bytes: Span<UInt8>) {
        var open = 0
        repeat {
            guard position < bytes.count else { return isBroken = true }
            switch bytes[position] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                open += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard open > 0 else { return isBroken = true }
                open -= 1
                position += 1
            case UInt8(ascii: "\""): if text(bytes, most: 0) == nil { return }
            case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D:
                guard open > 0 else { return isBroken = true }
                position += 1
            default: if !skipWord(bytes) { return isBroken = true }
            }
        } while open > 0
    }

    /// Skips a number or one of `true`, `false` and `null`.
    private mutating func skipWord(_ bytes: Span<UInt8>) -> Bool {
        let start = position
        while position < bytes.count, bytes[position].mayStandInWord { position += 1 }
        return position > start
    }

    // MARK: Texts

    /// Reads the text at the current position, even with invalid characters, and keeps its first `most` bytes.
    /// `nil` if the text is absent, or if it does not end, which is a break.
    private mutating func text(_ bytes: Span<UInt8>, most: Int) -> String? {
        guard consume(UInt8(ascii: "\""), bytes) else {
            isBroken = true
            return nil
        }
        var kept: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: kept, as: UTF8.self)
            case UInt8(ascii: "\\"):
                let scalar = escape(bytes)
                if kept.count < most {
                    kept.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
                }
            default: if kept.count < most { kept.append(byte) }
            }
        }
        isBroken = true
        return nil
    }

    /// Reads an escape after its backslash; an unknown escape means its letter.
    private mutating func escape(_ bytes: Span<UInt8>) -> Unicode.Scalar {
        guard position < bytes.count else { return "\u{FFFD}" }
        let letter = bytes[position]
        position += 1
        switch letter {
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return escapedScalar(bytes)
        default: return letter < 0x80 ? Unicode.Scalar(letter) : "\u{FFFD}"
        }
    }

    private mutating func escapedScalar(_ bytes: Span<UInt8>) -> Unicode.Scalar {
        guard let unit = fourHexDigits(bytes, at: position) else { return "\u{FFFD}" }
        position += 4
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard unit < 0xDC00, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
            bytes[position + 1] == UInt8(ascii: "u"), let second = fourHexDigits(bytes, at: position + 2),
            (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + ((unit - 0xD800) << 10) + (second - 0xDC00))
        else { return "\u{FFFD}" }
        position += 6
        return scalar
    }

    private func fourHexDigits(_ bytes: Span<UInt8>, at start: Int) -> UInt32? {
        guard start + 4 <= bytes.count else { return nil }
        var value: UInt32 = 0
        for index in start..<(start + 4) {
            guard let digit = bytes[index].hexadecimalValue else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    // MARK: Bytes

    private func peek(_ bytes: Span<UInt8>) -> UInt8 { position < bytes.count ? bytes[position] : 0 }

    private mutating func consume(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    /// Skips white space and the given byte; returns whether the byte was there.
    private mutating func skipped(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
        skipSpace(bytes)
        return consume(byte, bytes)
    }

    private mutating func skipSpace(_ bytes: Span<UInt8>) {
        while position < bytes.count, bytes[position].isSpace { position += 1 }
    }
}

extension UInt8 {
    fileprivate var isSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }

    fileprivate var mayStandInWord: Bool {
        isLetterOrDigit || self == UInt8(ascii: "+") || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
    }
}

/// The places of a record that may contain its instruction or its story.
struct RecordPlaces {
    /// The places inside members, by the members' names in lower case; `*` for each element.
    private var inner: [String: RecordPlaces] = [:]
    /// Whether everything inside is read.
    private(set) var hasAll = false
    /// Whether a text there can name a story, so that its whole length is kept.
    private(set) var isName = false

    /// Adds a place.
    ///
    /// - Parameters:
    ///   - steps: The names of members on the path, and `*` for each element.
    ///   - isName: Whether a text there can name a story.
    mutating func add(_ steps: some Collection<String>, isName: Bool = false) {
        guard let step = steps.first else {
            hasAll = true
            self.isName = self.isName || isName
            return
        }
        inner[step.lowercasedASCII, default: RecordPlaces()].add(steps.dropFirst(), isName: isName)
    }

    /// Adds the places of another record that this one may contain.
    mutating func add(_ other: RecordPlaces) {
        hasAll = hasAll || other.hasAll
        isName = isName || other.isName
        for (step, places) in other.inner { inner[step, default: RecordPlaces()].add(places) }
    }

    /// Whether some members inside are read and others are not.
    var isSelective: Bool { !inner.isEmpty }

    /// The places inside a member or element; `nil` if nothing inside is read.
    subscript(name: String) -> RecordPlaces? {
        if let places = inner[name.lowercasedASCII] ?? inner["*"] { return places }
        let isRead =
            hasAll || inner["headline"] != nil && (Self.isHeadline(name) || FeedPlaces.isEmbargo(name.lowercasedASCII))
        guard isRead else { return nil }
        var all = RecordPlaces()
        all.hasAll = true
        all.isName = isName
        return all
    }

    /// Whether a member may contain a headline; the tags of a headline may be in any of several such members.
    private static func isHeadline(_ name: String) -> Bool {
        let name = name.lowercasedASCII
        return name.hasPrefix("headline") || name.hasPrefix("description")
    }
}
