import ASCII
import StrictJSON

/// The few members of a value that show what it orders, found although the value cannot be read as a document: it is too large
/// or too deep, has a name twice, is not UTF-8, or is broken.
///
/// One pass, in time that grows with the length of the value and in memory that does not: strings of more than 1,024 bytes,
/// other members and deep parts are passed over.
struct RecordSketch {
    /// The members that were found, as an object.
    private(set) var document: JSONValue = .object([])
    /// Whether the value ended where a document ends. Otherwise it is broken off or is not JSON.
    private(set) var isWhole = false
    /// Whether a name stands twice with different values.
    private(set) var isAmbiguous = false

    private static let longestText = 1024
    private static let deepest = 8
    private static let mostNodes = 4096

    private let wanted: Set<String>
    private var nodes = 0
    private var position = 0

    /// The end of what can be looked at.
    private struct Broken: Error {}

    /// Reads a value.
    ///
    /// - Parameters:
    ///   - bytes: From where the document begins.
    ///   - wanted: The names of members that are kept at the top, and under `data` and `item`, in lower case.
    init(_ bytes: Span<UInt8>, wanted: Set<String>) {
        self.wanted = wanted
        do {
            skipSpace(bytes)
            guard let found = try object(bytes, depth: 0, isFiltered: true) else { return }
            document = found
            skipSpace(bytes)
            isWhole = position == bytes.count
        } catch {}
    }

    /// Reads the object that begins here; what was found of one that breaks off is kept at the top only.
    private mutating func object(_ bytes: Span<UInt8>, depth: Int, isFiltered: Bool) throws -> JSONValue? {
        guard peek(bytes) == UInt8(ascii: "{") else { return nil }
        position += 1
        var members: [JSONMember] = []
        do {
            skipSpace(bytes)
            if take(UInt8(ascii: "}"), bytes) { return .object(members) }
            while true {
                skipSpace(bytes)
                let name = try name(bytes)
                skipSpace(bytes)
                guard take(UInt8(ascii: ":"), bytes) else { throw Broken() }
                skipSpace(bytes)
                let key = name?.lowercasedASCII ?? ""
                let isKept = name != nil && (!isFiltered || wanted.contains(key))
                let goesOn = isFiltered && (key == "data" || key == "item")
                if let name, isKept,
                    let value = try value(bytes, depth: depth + 1, isFiltered: goesOn, isWanted: isFiltered)
                {
                    add(JSONMember(name: name, value: value), to: &members)
                } else if !isKept {
                    try skip(bytes)
                }
                skipSpace(bytes)
                if take(UInt8(ascii: "}"), bytes) { return .object(members) }
                guard take(UInt8(ascii: ","), bytes) else { throw Broken() }
            }
        } catch {
            if depth == 0 { document = .object(members) }
            throw error
        }
    }

    private mutating func add(_ member: JSONMember, to members: inout [JSONMember]) {
        guard let index = members.firstIndex(where: { $0.name == member.name }) else {
            members.append(member)
            return
        }
        if members[index].value != member.value { isAmbiguous = true }
    }

    private mutating func array(_ bytes: Span<UInt8>, depth: Int) throws -> JSONValue {
        position += 1
        var elements: [JSONValue] = []
        skipSpace(bytes)
        if take(UInt8(ascii: "]"), bytes) { return .array(elements) }
        while true {
            skipSpace(bytes)
            if let value = try value(bytes, depth: depth + 1) { elements.append(value) }
            skipSpace(bytes)
            if take(UInt8(ascii: "]"), bytes) { return .array(elements) }
            guard take(UInt8(ascii: ","), bytes) else { throw Broken() }
        }
    }

    /// Reads the value that begins here; `nil` if it was passed over.
    private mutating func value(
        _ bytes: Span<UInt8>,
        depth: Int,
        isFiltered: Bool = false,
        isWanted: Bool = false
    ) throws -> JSONValue? {
        nodes += 1
        guard nodes <= Self.mostNodes || isWanted, depth <= Self.deepest else {
            try skip(bytes)
            return nil
        }
        switch peek(bytes) {
        case UInt8(ascii: "{"): return try object(bytes, depth: depth, isFiltered: isFiltered)
        case UInt8(ascii: "["): return try array(bytes, depth: depth)
        default:
            let start = position
            try skip(bytes)
            return small(bytes, start..<position)
        }
    }

    private mutating func name(_ bytes: Span<UInt8>) throws -> String? {
        guard peek(bytes) == UInt8(ascii: "\"") else { throw Broken() }
        let start = position
        try skip(bytes)
        return small(bytes, start..<position)?.string
    }

    /// A scalar in its own right; bytes that are not UTF-8 are replaced.
    private func small(_ bytes: Span<UInt8>, _ range: Range<Int>) -> JSONValue? {
        guard range.count <= Self.longestText else { return nil }
        var text: [UInt8] = []
        text.reserveCapacity(range.count)
        for index in range { text.append(bytes[index]) }
        return try? JSONReader.read(String(decoding: text, as: UTF8.self))
    }

    /// Passes over a value of any depth.
    private mutating func skip(_ bytes: Span<UInt8>) throws {
        var open = 0
        repeat {
            guard position < bytes.count else { throw Broken() }
            switch bytes[position] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                open += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard open > 0 else { throw Broken() }
                open -= 1
                position += 1
            case UInt8(ascii: "\""): try skipText(bytes)
            case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D:
                guard open > 0 else { throw Broken() }
                position += 1
            default: try skipWord(bytes)
            }
        } while open > 0
    }

    private mutating func skipText(_ bytes: Span<UInt8>) throws {
        position += 1
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\\"): position += 2
            case UInt8(ascii: "\""):
                position += 1
                return
            default: position += 1
            }
        }
        throw Broken()
    }

    /// Passes over a number or one of `true`, `false` and `null`.
    private mutating func skipWord(_ bytes: Span<UInt8>) throws {
        let start = position
        while position < bytes.count, bytes[position].mayStandInWord { position += 1 }
        guard position > start else { throw Broken() }
    }

    private func peek(_ bytes: Span<UInt8>) -> UInt8 { position < bytes.count ? bytes[position] : 0 }

    private mutating func take(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
        guard peek(bytes) == byte, position < bytes.count else { return false }
        position += 1
        return true
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
