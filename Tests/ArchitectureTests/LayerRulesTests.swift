import Testing

@Suite(.timeLimit(.minutes(1)))
struct LayerRulesTests {
    private let rules = LayerRules(
        manifest: Manifest(
            #"""
            func c(_ name: String) -> Target { .systemLibrary(name: name, path: "Sources/C/\(name)") }
            func base(_ name: String) -> Target { .target(name: name, path: "Sources/Base/\(name)") }
            func rules(_ name: String) -> Target { .target(name: name, path: "Sources/Rules/\(name)") }
            func adapter(_ name: String) -> Target { .target(name: name, path: "Sources/Adapters/\(name)") }
            func app(_ name: String) -> Target { .target(name: name, path: "Sources/Apps/\(name)") }
            func tests(_ name: String) -> Target { .testTarget(name: name, path: "Tests/\(name)") }
            targets: [
                c("CCurl"), c("CRDKafka"), base("Basics"), base("Signing"), base("Timestamps"), base("Observability"),
                rules("NewsEvents", "Signing"), rules("NewsSubscriptions"), rules("Rendering", "NewsEvents"),
                rules("Routing"), adapter("Kafka", "CRDKafka", "NewsEvents"), adapter("KafkaMock", "Kafka", "CRDKafka"),
                adapter("CurlTransport", "CCurl"), app("Worker", "Kafka"), app("HubEmulator"),
                .target(name: "Commands", dependencies: ["Basics"], path: "Sources/Main/Commands"),
                .executableTarget(name: "newsflash", dependencies: ["Commands"], path: "Sources/Main/newsflash"),
                tests("KafkaTests", "CRDKafka", "Kafka", "newsflash"), tests("WorkerTests"),
                .target(name: "CBench", path: "Tests/Benchmarks/CBench"),
                .target(name: "Bench", dependencies: ["CBench"], path: "Tests/Benchmarks/Bench"),
            ]
            """#
        )
    )

    private func problems(_ target: String, _ text: String) -> [String] {
        rules.violations(in: SourceFile(path: "A.swift", target: target, text: text))
    }

    @Test(arguments: [
        (
            "Rendering", "Kafka",
            "Rendering (Rules) imports Kafka (Adapters): a target imports only from layers below its own"
        ),
        (
            "Basics", "NewsEvents",
            "Basics (Base) imports NewsEvents (Rules): a target imports only from layers below its own"
        ),
        (
            "Worker", "Commands",
            "Worker (Apps) imports Commands (Main): a target imports only from layers below its own"
        ),
        ("Rendering", "Routing", "Rendering imports Routing: Package.swift does not list it as a dependency"),
        ("Kafka", "KafkaMock", "Kafka imports KafkaMock: Package.swift does not list it as a dependency"),
        ("Worker", "Basics", "Worker imports Basics: Package.swift does not list it as a dependency"),
        ("WorkerTests", "Kafka", "WorkerTests imports Kafka: Package.swift does not list it as a dependency"),
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
        ("Signing", "CryptoKit"), ("Basics", "Synchronization"),
        ("Rendering", "FoundationEssentials"), ("Worker", "Kafka"),
        ("Kafka", "Dispatch"), ("newsflash", "Commands"), ("KafkaTests", "Kafka"), ("Commands", "Basics"),
        ("Bench", "CBench"), ("KafkaTests", "CRDKafka"),
    ])
    func `an allowed import passes`(target: String, module: String) {
        #expect(problems(target, "import \(module)") == [])
    }

    @Test func `only the parts of Base that need the system import it`() {
        func problems(_ path: String) -> [String] {
            rules.violations(in: SourceFile(path: path, target: "Basics", text: "import Glibc"))
        }
        let allowed = "Sources/Base/Basics/Locks/A.swift"
        let refused = "Sources/Base/Basics/ASCII/A.swift"
        #expect(problems(allowed) == [])
        #expect(
            problems(refused) == [
                "\(refused):1: Basics (Base) imports Glibc: Rules and Base do no I/O and know no operating system"
            ]
        )
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

    @Test func `a dependency that no file imports is found, unless it is a program`() {
        let file = SourceFile(path: "A.swift", target: "KafkaTests", text: "import CRDKafka")
        #expect(
            rules.unusedDependencies(of: [file]) == [
                "Package.swift: KafkaTests lists the dependency Kafka, and does not import it"
            ]
        )
    }

    @Test func `targets are parsed from a manifest`() {
        let manifest = Manifest(
            #"""
            func base(_ name: String, _ d: Target.Dependency...) -> Target {
                .target(name: name, path: "Sources/Base/\(name)")
            }
            func testSupport(_ name: String) -> Target { .target(name: name, path: "Tests/Support/\(name)") }
            targets: [base("Basics"), base(
                "Signing", // not "Timestamps"
                "Basics", .target(name: "CCrypto", condition: .when(platforms: [.linux])), resources: [.copy("Data")]),
                testSupport("Kit", ["Basics"] + more), .executableTarget(
                    name: "news-flash", dependencies: ["Kit"], path: "Sources/Main/news-flash")]
            """#
        )
        #expect(
            manifest.targets == [
                "Basics": .init(path: "Sources/Base/Basics"),
                "Signing": .init(path: "Sources/Base/Signing", dependencies: ["CCrypto", "Basics"]),
                "Kit": .init(path: "Tests/Support/Kit", dependencies: ["Basics"]),
                "news-flash": .init(path: "Sources/Main/news-flash", dependencies: ["Kit"], isProgram: true),
            ]
        )
        #expect(manifest.targets["Basics"]?.layer == "Base")
        #expect(manifest.targets["Kit"]?.layer == nil)
    }

    @Test func `a foreign entry of the top level is found`() {
        let names = ["Package.swift", "Package.resolved", "artifacts", "x.xcodeproj", "notes.txt", "Sources"]
        #expect(
            strangers(among: names, gitignore: ".build/\n*.xcodeproj\nPackage.resolved\n/artifacts/\n") == ["notes.txt"]
        )
    }
}
