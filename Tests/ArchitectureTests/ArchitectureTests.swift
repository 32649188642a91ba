import Testing

@Suite(.timeLimit(.minutes(1)))
struct ArchitectureTests {
    private let tree = PackageTree.here

    @Test func `imports are declared, point downwards, and only the targets for C import C`() throws {
        let rules = LayerRules(manifest: try tree.manifest())
        let files = try tree.sourceFiles()
        #expect(files.count > 40, "the files were not found")
        let violations = files.flatMap { rules.violations(in: $0) }
        #expect(violations.isEmpty, "\(violations.joined(separator: "\n"))")
    }

    @Test func `every dependency in Package.swift is imported`() throws {
        let unused = LayerRules(manifest: try tree.manifest()).unusedDependencies(of: try tree.sourceFiles())
        #expect(unused.isEmpty, "\(unused.joined(separator: "\n"))")
    }

    @Test func `the product imports no target below Tests`() throws {
        let targets = Set(try tree.manifest().targets.filter { $0.value.path.hasPrefix("Tests/") }.keys)
        #expect(targets.isSuperset(of: ["NewsflashBench", "CNewsflashBench", "NewsflashTestSupport"]))
        let found = try tree.sourceFiles().filter { $0.path.hasPrefix("Sources/") }.flatMap { file in
            file.imports.filter { targets.contains($0.module) }.map { "\(file.path):\($0.number): \($0.module)" }
        }
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    }

    @Test func `no target takes the name of another package's target`() throws {
        let targets = try tree.manifest().targets.filter { !$0.value.path.hasSuffix("Tests") }
        #expect(targets.count > 40, "the targets were not found")
        let ours = ["Newsflash", "CNewsflash", "newsflash", "NotificationHubs", "NewsSubscriptions"]
        let others = targets.keys.filter { name in !ours.contains { name.hasPrefix($0) } }.sorted()
        #expect(others.isEmpty, "SwiftPM refuses a program with another target of these names")
    }

    @Test func `every layer has its folder`() throws {
        #expect(Set(try tree.folders(in: "Sources")) == Set(LayerRules.layers))
    }

    @Test func `every target has its folder, and every folder its target`() throws {
        let manifest = try tree.manifest()
        let folders = Set(try tree.targetFolders())
        for path in folders.subtracting(manifest.paths).sorted() {
            Issue.record("\(path): no target in Package.swift has this path")
        }
        for path in manifest.paths.subtracting(folders).sorted() {
            Issue.record("Package.swift: no folder exists at path \(path)")
        }
    }

    @Test func `the top level has only the allowed entries`() throws {
        let found = strangers(among: try tree.names(in: "."), gitignore: try tree.text(of: ".gitignore"))
        #expect(
            found.isEmpty,
            "the top level holds \(found): only Package.swift, README.md, Sources, Tests, deploy, schemas"
        )
    }
}
