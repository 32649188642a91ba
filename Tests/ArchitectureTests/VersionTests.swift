import Testing

/// The version is written in one Swift file. `.ci/release --check` compares the copies outside of Swift.
@Suite(.timeLimit(.minutes(1)))
struct VersionTests {
    private static let home = "Sources/Apps/Worker/WorkerVersion.swift"

    private let tree = PackageTree.here

    private func version() throws -> String {
        let match = try tree.text(of: Self.home).firstMatch(of: /static let current = "([^"]+)"/)
        return String(try #require(match, "\(Self.home) has no constant `current`").1)
    }

    @Test func `the version has three numbers`() throws {
        #expect(try version().wholeMatch(of: /\d+\.\d+\.\d+/) != nil)
    }

    @Test func `no other source file contains the version`() throws {
        let literal = "\"\(try version())\""
        let others = try tree.sourceFiles().map(\.path).filter { path in
            try path.hasPrefix("Sources/") && path != Self.home && tree.text(of: path).contains(literal)
        }
        #expect(others.isEmpty, "use WorkerVersion.current in \(others.joined(separator: ", "))")
    }
}
