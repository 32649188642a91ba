import NewsflashTimestamps
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

@Suite(.timeLimit(.minutes(1)))
struct NearNamesTests {
    @Test(arguments: [
        ("urn:desk:l", "urn:desk:1", true),
        ("urn:desk:42", "urn:desk:24", true),
        ("urn:desk:42", "urn:desk:4", true),
        ("urn:desk:42", "URN:DESK:42", true),
        ("urn:desk:42", "urn:desk:42-flash-of-monday", true),
        ("urn:desk:42-flash-of-monday", "urn:desk:42", true),
        ("urn:desk:42", "urn:dsk:42", true),
        ("urn:desk:42", "urn:desk:777", false),
        ("urn:desk:42", "urn:desk:421", true),
        ("urn:desk:42", "wire:9", false),
        ("ab", "xy", false), ("ab", "xb", true), ("abc", "abcdef", false), ("abcd", "abcdef", true),
        ("", "ab", false), ("é", "e", false),
    ])
    func `names are near if they differ in few characters or one begins with the other`(
        _ wanted: String,
        _ name: String,
        _ isNear: Bool
    ) {
        #expect(NearNames(to: wanted).isNear(name) == isNear)
        #expect(NearNames(to: name).isNear(wanted) == isNear)
    }

    /// Returns the distance by its definition, without a limit.
    private func edits(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var rows = [Array(0...right.count)]
        for i in left.indices {
            var row = [i + 1]
            for j in right.indices {
                row.append(min(rows[i][j] + (left[i] == right[j] ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1))
            }
            rows.append(row)
        }
        return rows[left.count][right.count]
    }

    @Test func `the fast distance of names gives the same result as the slow one`() {
        var random = SystemRandomNumberGenerator()
        func name() -> String {
            String((0..<Int.random(in: 6...9, using: &random)).map { _ in "abc".randomElement()! })
        }
        var near = 0
        for _ in 0..<2000 {
            let (left, right) = (name(), name())
            guard !left.hasPrefix(right), !right.hasPrefix(left) else { continue }
            let isNear = edits(Array(left.utf8), Array(right.utf8)) <= 2
            near += isNear ? 1 : 0
            #expect(NearNames(to: left).isNear(right) == isNear, "\(left) \(right)")
        }
        #expect(near > 20)
    }

    @Test func `the five newest of many near names are shown`() {
        var names = NearNames(to: "story")
        for number in 0..<1000 { names.insert("story-\(number)", changedAt: Timestamp(seconds: Int64(number))) }
        names.remove("story-998")
        #expect(names.newest == [999, 997, 996, 995, 994].map { "story-\($0)" })
        var other = NearNames(to: "story")
        other.insert("story-1", changedAt: Timestamp(seconds: 5000))
        names.merge(other)
        #expect(names.newest.first == "story-1")
    }
}
