import NewsflashBasics

/// Random choices that depend on the seed and on their purpose, and on nothing else. If a step is removed from a
/// scenario, the choices for all others do not change.
struct Dice: Sendable {
    let seed: UInt64

    /// Chooses from a range.
    ///
    /// - Parameters:
    ///   - range: The range of the result.
    ///   - purpose: Keeps choices for different purposes apart.
    ///   - parts: Identify the subject of the choice.
    /// - Returns: A number of the range, the same each time.
    func number(_ range: ClosedRange<Int>, _ purpose: Purpose, _ parts: UInt64...) -> Int {
        var sum = seed &* 0x9E37_79B9_7F4A_7C15 &+ purpose.rawValue
        for part in parts { sum = ((sum ^ part) &* 0xD6E8_FEB8_6659_FD93) ^ (sum >> 29) }
        var random = SeededRandom(seed: sum)
        return Int.random(in: range, using: &random)
    }

    func milliseconds(_ range: ClosedRange<Int>, _ purpose: Purpose, _ first: UInt64, _ second: UInt64 = 0) -> Duration
    {
        .milliseconds(number(range, purpose, first, second))
    }

    func chance(_ percent: Int, _ purpose: Purpose, _ first: UInt64, _ second: UInt64 = 0) -> Bool {
        number(0...99, purpose, first, second) < percent
    }

    enum Purpose: UInt64 {
        case travel = 1, answer, latency, restore, confirmation, writeFault, lateWriter, join, confirmMembership, read,
            recall
        case lostRequest, follow, control, wakeUp
    }
}

extension String {
    /// A hash that is the same in every process.
    var stableHash: UInt64 {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return sum
    }
}
