import Testing

/// The pages that users and contributors read first.
@Suite(.timeLimit(.minutes(1)))
struct ProjectPagesTests {
    static let demanded = [
        "README.md", ".github/BENCHMARKS.md", ".github/CHANGELOG.md", ".github/CONTRIBUTING.md", ".github/SECURITY.md",
        ".github/TESTING.md", ".editorconfig", ".vscode/settings.json", ".ci/hooks/pre-commit", "deploy/NOTICES",
    ]
    static let pages = demanded.filter { $0.hasSuffix(".md") }

    private let tree = PackageTree.here

    @Test(arguments: demanded)
    func `the project has its pages`(file: String) throws {
        #expect(try !tree.text(of: file).isEmpty)
    }

    @Test func `the README has at most 170 lines`() throws {
        #expect(try tree.text(of: "README.md").split(separator: "\n", omittingEmptySubsequences: false).count <= 171)
    }

    @Test func `the README has exactly one command that runs the tests`() throws {
        let commands = try tree.text(of: "README.md").matches(of: /(?m)^swift test .*$/)
        #expect(commands.count == 1, ".ci/run runs the first line that begins with `swift test`")
    }

    @Test(arguments: pages)
    func `every link of a page has a target`(page: String) throws {
        let links = Self.links(in: try tree.text(of: page))
        #expect(!links.isEmpty)
        let dead = links.filter { !tree.leadsSomewhere($0, from: page) }
        #expect(dead.isEmpty, "\(page): \(dead.joined(separator: ", "))")
    }

    @Test(arguments: pages)
    func `every script that a page names exists`(page: String) throws {
        let text = try tree.text(of: page)
        let names = Set(text.matches(of: /(?:\.ci|deploy)\/(?:hooks\/)?[a-z][a-z-]*(?![\w\/.-])/).map { String($0.0) })
        let missing = names.filter { !tree.exists($0) }.sorted()
        #expect(missing.isEmpty, "\(page): \(missing.joined(separator: ", "))")
    }

    @Test func `each known fault of others has an answer, and each named test exists`() throws {
        let rows = try tree.text(of: ".github/TESTING.md").matches(of: /(?m)^\| (\d+) \| .* \| (.*) \|$/)
        #expect(rows.map { String($0.1) } == (1...33).map(String.init))
        let files = try tree.sourceFiles().map(\.path).filter { $0.hasPrefix("Tests/") }
        let tests = try Set(
            files.flatMap { try tree.text(of: $0).matches(of: /func\s+`([^`]+)`/).map { String($0.1) } }
        )
        let named = rows.flatMap { row in row.2.matches(of: /`([^`]* [^`]*)`/).map { String($0.1) } }
        #expect(named.count >= 33)
        #expect(named.filter { !tests.contains($0) } == [], "no test has the name")
    }

    @Test func `the notices name every file with foreign data`() throws {
        let notices = try tree.text(of: "deploy/NOTICES")
        let files = try tree.sourceFiles().map(\.path).filter { path in
            try path.hasPrefix("Sources/") && tree.text(of: path).contains("©")
        }
        #expect(files.count >= 2)
        #expect(files.filter { !notices.contains($0) } == [], "deploy/NOTICES does not name them")
    }

    @Test func `the image has the notices`() throws {
        #expect(
            try tree.text(of: "deploy/Containerfile").contains(
                "\nCOPY deploy/NOTICES /usr/share/doc/newsflash/NOTICES\n"
            )
        )
        #expect(try tree.text(of: ".dockerignore").contains("\n!deploy/NOTICES\n"))
    }

    @Test(arguments: [
        ("[a](b.md)", ["b.md"]), ("[a](b.md#c) and [d](../e)", ["b.md#c", "../e"]), ("[a](https://example.org)", []),
        ("![a](b.png)", ["b.png"]), ("[a] (b.md)", []), ("a[0](b)", ["b"]),
    ])
    func `the links of a text are found`(text: String, links: [String]) {
        #expect(Self.links(in: text) == links)
    }

    @Test func `a broken link is found`() {
        #expect(tree.leadsSomewhere("../README.md#see-it", from: ".github/CONTRIBUTING.md"))
        #expect(!tree.leadsSomewhere("../README.md#no-such-heading", from: ".github/CONTRIBUTING.md"))
        #expect(!tree.leadsSomewhere("README.md", from: ".github/CONTRIBUTING.md"))
        #expect(tree.leadsSomewhere("#licence", from: "README.md"))
    }

    /// Returns the relative links of a Markdown page.
    private static func links(in text: String) -> [String] {
        text.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }.filter { !$0.contains("://") }
    }
}

extension PackageTree {
    /// Returns whether a relative link of a page names a file or folder and, after `#`, a heading of it.
    fileprivate func leadsSomewhere(_ link: String, from page: String) -> Bool {
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let folder = page.split(separator: "/").dropLast().joined(separator: "/")
        let path = parts[0].isEmpty ? page : (folder.isEmpty ? parts[0] : "\(folder)/\(parts[0])")
        guard exists(path) else { return false }
        guard parts.count == 2 else { return true }
        let headings = (try? text(of: path))?.matches(of: /(?m)^#+ (.*)$/).map { Self.anchor(String($0.1)) } ?? []
        return headings.contains(parts[1])
    }

    /// Returns GitHub's anchor of a heading: `Find your way, and contribute` has `find-your-way-and-contribute`.
    private static func anchor(_ heading: String) -> String {
        String(
            heading.lowercased().compactMap { character -> Character? in
                if character == " " { return "-" }
                return character.isLetter || character.isNumber || character == "-" || character == "_"
                    ? character : nil
            }
        )
    }
}
