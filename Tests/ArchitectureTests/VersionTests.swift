import Testing

/// The version is written in one Swift file; copies outside of Swift must be equal.
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

    @Test(arguments: ["deployment", "statefulset"])
    func `a Kubernetes overlay deploys the version`(overlay: String) throws {
        let file = "deploy/kubernetes/overlays/\(overlay)/kustomization.yaml"
        let tags = try tree.text(of: file).matches(of: /(?m)^ *newTag: *(\S+)/).map { String($0.1) }
        let expected = [try version()]
        #expect(tags == expected, "newTag in \(file)")
    }

    @Test func `the newest release in the changelog is the version`() throws {
        let file = ".github/CHANGELOG.md"
        let headings = try tree.text(of: file).matches(of: /(?m)^## (\S+)/).map { String($0.1) }
        try #require(headings.count >= 2, "\(file) needs the headings Unreleased and the newest release")
        #expect(headings[0] == "Unreleased")
        #expect(headings[1] == (try version()), "the newest release in \(file)")
    }

    @Test(arguments: ["schemas/admin.openapi.yaml", "schemas/breaking-news-dead-letter-headers-v1.schema.json"])
    func `a sample in a schema has the version`(file: String) throws {
        let version = try version()
        // `version: 0.1.0, instance: …` and `"newsflash-dlq-worker": "0.1.0 …"`.
        let samples = try tree.text(of: file)
            .matches(of: /(?:worker: \{ version: |"newsflash-dlq-worker": ")(\d+\.\d+\.\d+)/).map { String($0.1) }
        #expect(!samples.isEmpty)
        #expect(samples.allSatisfy { $0 == version }, "\(file) has \(samples)")
    }
}
