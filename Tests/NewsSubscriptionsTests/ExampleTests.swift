import FoundationEssentials
import Testing

/// Each name of the library has an example: after its first line, or in one line of code.
@Suite(.timeLimit(.minutes(1)))
struct ExampleTests {
    @Test func `every public name is documented with an example`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/Rules/NewsSubscriptions").path
        var declarations = 0
        for file in try FileManager.default.subpathsOfDirectory(atPath: folder) where file.hasSuffix(".swift") {
            let text = String(decoding: try Data(contentsOf: URL(filePath: "\(folder)/\(file)")), as: UTF8.self)
            for (line, declaration, comment) in Self.publicDeclarations(in: text) {
                declarations += 1
                #expect(comment.contains("`"), "\(file):\(line): \(declaration)")
            }
        }
        #expect(declarations > 60, "the files were not found")
    }

    /// Returns public declarations with the comment above each, except members that every Swift type of the kind has.
    private static func publicDeclarations(in text: String) -> [(line: Int, declaration: String, comment: String)] {
        let known = ["description", "debugDescription", "customMirror", "rawValue"]
        var found: [(Int, String, String)] = []
        var comment = ""
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.drop { $0 == " " }
            if words.hasPrefix("///") {
                comment += words + "\n"
                continue
            }
            if words.hasPrefix("@") { continue }
            let isDeclaration = words.hasPrefix("public ") && !words.hasPrefix("public import")
            // Codes are shown in comparisons.
            let isKnown = words.contains("= Code(") || known.contains { words.contains("var \($0)") }
            if isDeclaration, !isKnown {
                found.append((number + 1, String(words), comment))
            }
            comment = ""
        }
        return found
    }
}
