import Testing

@Suite(.timeLimit(.minutes(1)))
struct LayerRulesTests {
    private let rules = LayerRules(layerOfTarget: [
        "CCurl": "C", "CRDKafka": "C", "Locks": "Base", "Signing": "Base", "Timestamps": "Base",
        "StructuredLog": "Base",
        "NewsEvents": "Rules", "NewsSubscriptions": "Rules",
        "Rendering": "Rules", "Routing": "Rules", "Kafka": "Adapters", "KafkaMock": "Adapters",
        "CurlTransport": "Adapters",
        "Worker": "Apps", "HubEmulator": "Apps", "Commands": "Main", "newsflash": "Main",
    ])

    private func problems(_ target: String, _ text: String) -> [String] {
        rules.violations(in: SourceFile(path: "A.swift", target: target, text: text))
    }

    @Test(arguments: [
        (
            "Rendering", "Kafka",
            "Rendering (Rules) imports Kafka (Adapters): a target imports only from layers below its own"
        ),
        (
            "Locks", "NewsEvents",
            "Locks (Base) imports NewsEvents (Rules): a target imports only from layers below its own"
        ),
        (
            "Worker", "Commands",
            "Worker (Apps) imports Commands (Main): a target imports only from layers below its own"
        ),
        ("Rendering", "Routing", "Rendering imports Routing, both in Rules: the arrow is not in LayerRules.arrows"),
        ("Kafka", "KafkaMock", "Kafka imports KafkaMock, both in Adapters: the arrow is not in LayerRules.arrows"),
        ("Worker", "HubEmulator", "Worker imports HubEmulator, both in Apps: the arrow is not in LayerRules.arrows"),
        ("Worker", "CRDKafka", "Worker imports CRDKafka: only Kafka and KafkaMock may"),
        ("KafkaTests", "CCurl", "a test imports CCurl: only CurlTransport may"),
        ("Commands", "CBench", "Commands imports CBench: only Bench may"),
        (
            "Routing", "Dispatch",
            "Routing (Rules) imports Dispatch: Rules and Base do no I/O and know no operating system"
        ),
        (
            "NewsEvents", "Glibc",
            "NewsEvents (Rules) imports Glibc: Rules and Base do no I/O and know no operating system"
        ),
        ("Worker", "Foundation", "imports Foundation: nobody imports more of Foundation than FoundationEssentials"),
        (
            "WorkerTests", "Foundation",
            "imports Foundation: nobody imports more of Foundation than FoundationEssentials"
        ),
    ])
    func `a violation names the rule that an import breaks`(target: String, module: String, message: String) {
        #expect(problems(target, "// first\n\nimport \(module)\n") == ["A.swift:3: \(message)"])
    }

    @Test(arguments: [
        ("Rendering", "NewsEvents"), ("Kafka", "CRDKafka"), ("KafkaMock", "Kafka"), ("Kafka", "NewsEvents"),
        ("Signing", "CryptoKit"), ("Locks", "Glibc"), ("Locks", "Synchronization"),
        ("Rendering", "FoundationEssentials"), ("Worker", "Kafka"),
        ("Kafka", "Dispatch"), ("newsflash", "Commands"), ("KafkaTests", "Kafka"), ("Commands", "Locks"),
        ("Bench", "CBench"),
    ])
    func `an allowed import passes`(target: String, module: String) {
        #expect(problems(target, "import \(module)") == [])
    }

    @Test(arguments: ["Foundation", "FoundationEssentials"])
    func `only the folder for platforms may use the system`(module: String) {
        func problems(_ path: String) -> [String] {
            rules.violations(in: SourceFile(path: path, target: "NewsSubscriptions", text: "import \(module)"))
        }
        let folder = "Sources/Rules/NewsSubscriptions/Platform/"
        #expect(problems(folder + "A.swift") == [])
        #expect(
            problems("Sources/Rules/NewsSubscriptions/A.swift") == [
                "Sources/Rules/NewsSubscriptions/A.swift:1: imports \(module): in NewsSubscriptions only \(folder) may"
            ]
        )
    }

    @Test(arguments: [
        ("import Kafka", ["Kafka"]), ("  package import Kafka // why", ["Kafka"]),
        ("@testable import Kafka", ["Kafka"]), ("@preconcurrency public import struct Kafka.Offset", ["Kafka"]),
        ("import A; import B", ["A", "B"]), ("// import Kafka", []), ("importer.run()", []), ("let import_ = 1", []),
        ("\timport Kafka\r", ["Kafka"]),
    ])
    func `the modules of an import line are found`(line: String, modules: [String]) {
        #expect(SourceFile(path: "", target: "", text: line).imports.map(\.module) == modules)
    }

    @Test func `paths are parsed from a manifest`() {
        let manifest = Manifest(
            #"""
            func base(_ name: String, _ d: Target.Dependency...) -> Target {
                .target(name: name, path: "Sources/Base/\(name)")
            }
            func testSupport(_ name: String) -> Target { .target(name: name, path: "Tests/Support/\(name)") }
            targets: [base("Locks"), base(
                "Signing", "Locks"), testSupport("Kit"), .target(name: "Commands", path: "Sources/Main/Commands")]
            """#
        )
        #expect(
            manifest.paths == [
                "Sources/Base/Locks", "Sources/Base/Signing", "Sources/Main/Commands", "Tests/Support/Kit",
            ]
        )
    }

    @Test func `a foreign entry of the top level is found`() {
        let names = ["Package.swift", "Package.resolved", "artifacts", "x.xcodeproj", "notes.txt", "Sources"]
        #expect(
            strangers(among: names, gitignore: ".build/\n*.xcodeproj\nPackage.resolved\n/artifacts/\n") == ["notes.txt"]
        )
    }
}
