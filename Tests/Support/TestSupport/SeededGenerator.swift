// Exported, because users of this type need its members.
@_exported public import struct NewsflashBasics.SeededRandom

/// Random numbers that a seed repeats.
///
/// Put the seed into the comment of each expectation, so that a failure can be run again.
package typealias SeededGenerator = SeededRandom

extension [UInt8] {
    /// Returns the bytes with one to eight random mutations: changed, removed or doubled bytes, or inserted pieces of
    /// JSON.
    ///
    /// - Parameter generator: The random number generator.
    /// - Returns: The mutated bytes.
    package func mutated(using generator: inout some RandomNumberGenerator) -> [UInt8] {
        let pieces = [
            "{", "}", "[", "]", "\"", "\\", "\\u", "\\ud800", ",", ":", "-", "0", "1e9", "null", "\u{0}", "é",
        ]
        var result = self
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
            let place = Int.random(in: 0...result.count, using: &generator)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0 where place < result.count: result[place] = .random(in: 0...255, using: &generator)
            case 1 where place < result.count: result[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 2 where place < result.count: result.remove(at: place)
            case 3: result.removeLast(Int.random(in: 0...result.count - place, using: &generator))
            case 4: result.insert(contentsOf: result[place..<Swift.min(place + 40, result.count)], at: place)
            default: result.insert(contentsOf: (pieces.randomElement(using: &generator) ?? "").utf8, at: place)
            }
        }
        return result
    }
}
