import FoundationEssentials
import NewsflashConfiguration
import Testing

/// The files that are generated from the table of keys.
///
/// After a change of the table, `NEWSFLASH_UPDATE_FILES=1 swift test --disable-xctest --filter '^ConfigurationTests\.'` writes
/// the files instead of comparing them.
@Suite(.timeLimit(.minutes(1)))
struct GeneratedFilesTests {
    private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/")

    static func text(of path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: "\(root)/\(path)")), as: UTF8.self)
    }

    private func check(_ path: String, is text: String) throws {
        if ProcessInfo.processInfo.environment["NEWSFLASH_UPDATE_FILES"] == "1" {
            try Data(text.utf8).write(to: URL(filePath: "\(Self.root)/\(path)"))
        }
        let lines = try Self.text(of: path).split(separator: "\n", omittingEmptySubsequences: false)
        let expected = text.split(separator: "\n", omittingEmptySubsequences: false)
        let first = zip(lines, expected).enumerated().first { $0.element.0 != $0.element.1 }
        if let first {
            Issue.record("\(path):\(first.offset + 1): '\(first.element.0)', and the table gives '\(first.element.1)'")
        } else {
            #expect(lines.count == expected.count, "\(path)")
        }
    }

    @Test func `the reference page is that of the table`() throws {
        try check("deploy/guides/configuration.md", is: ConfigurationPage.text())
    }

    @Test func `the sample is that of the table`() throws {
        try check("deploy/newsflash.yaml", is: ConfigurationSample.text())
    }

    @Test func `the schema is that of the table`() throws {
        try check("schemas/newsflash-configuration-v1.schema.json", is: ConfigurationSchemaFile.text())
    }
}
