import Randomness

/// The id of a registration, kept small: those that the hub hands out are two numbers and a digit.
enum RegistrationName: Hashable, Sendable, CustomStringConvertible {
    case assigned(UInt64, UInt64, UInt8)
    case other(String)

    /// Reads an id; one that would not be written the same way again stays a text.
    init(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        if parts.count == 3, let first = UInt64(Substring(parts[0])), let second = UInt64(Substring(parts[1])),
            let shard = UInt8(Substring(parts[2]))
        {
            let name = RegistrationName.assigned(first, second, shard)
            if name.description == text {
                self = name
                return
            }
        }
        self = .other(text)
    }

    /// A new one.
    init(using generator: inout SeededRandom) {
        // The service's own numbers stay within what is positive in 64 bits.
        self = .assigned(
            generator.next() >> 1,
            generator.next() >> 1,
            UInt8(truncatingIfNeeded: generator.next() % 3) + 1
        )
    }

    var description: String {
        switch self {
        case .assigned(let first, let second, let shard): "\(first)-\(second)-\(shard)"
        case .other(let text): text
        }
    }

    /// Whether it has the form of the service's own ids: three groups of digits.
    var isWellFormed: Bool {
        switch self {
        case .assigned: true
        case .other(let text):
            text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).count == 3
                && text.utf8.allSatisfy {
                    $0 == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                }
        }
    }
}
