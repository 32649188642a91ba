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
                c("CNewsflashCurl"), c("CNewsflashRDKafka"), base("NewsflashBasics"), base("NewsflashSigning"), base("NewsflashTimestamps"), base("NewsflashObservability"),
                rules("NewsflashEvents", "NewsflashSigning"), rules("NewsSubscriptions"), rules("NewsflashRendering", "NewsflashEvents"),
                rules("NewsflashRouting"), adapter("NewsflashKafka", "CNewsflashRDKafka", "NewsflashEvents"), adapter("NewsflashKafkaMock", "NewsflashKafka", "CNewsflashRDKafka"),
                adapter("NewsflashCurlTransport", "CNewsflashCurl"), app("NewsflashWorker", "NewsflashKafka"), app("NewsflashHubEmulator"),
                .target(name: "NewsflashCommands", dependencies: ["NewsflashBasics"], path: "Sources/Main/Commands"),
                .executableTarget(name: "newsflash", dependencies: ["NewsflashCommands"], path: "Sources/Main/newsflash"),
                tests("KafkaTests", "CNewsflashRDKafka", "NewsflashKafka", "newsflash"), tests("WorkerTests"),
                .target(name: "CNewsflashBench", path: "Tests/Benchmarks/CBench"),
                .target(name: "NewsflashBench", dependencies: ["CNewsflashBench"], path: "Tests/Benchmarks/Bench"),
            ]
            """#
        )
    )

    private func problems(_ target: String, _ text: String) -> [String] {
        rules.violations(in: SourceFile(path: "A.swift", target: target, text: text))
    }

    @Test(arguments: [
        (
            "NewsflashRendering", "NewsflashKafka",
            "NewsflashRendering (Rules) imports NewsflashKafka (Adapters): a target imports only from layers below its own"
        ),
        (
            "NewsflashBasics", "NewsflashEvents",
            "NewsflashBasics (Base) imports NewsflashEvents (Rules): a target imports only from layers below its own"
        ),
        (
            "NewsflashWorker", "NewsflashCommands",
            "NewsflashWorker (Apps) imports NewsflashCommands (Main): a target imports only from layers below its own"
        ),
        (
            "NewsflashRendering", "NewsflashRouting",
            "NewsflashRendering imports NewsflashRouting: Package.swift does not list it as a dependency"
        ),
        (
            "NewsflashKafka", "NewsflashKafkaMock",
            "NewsflashKafka imports NewsflashKafkaMock: Package.swift does not list it as a dependency"
        ),
        (
            "NewsflashWorker", "NewsflashBasics",
            "NewsflashWorker imports NewsflashBasics: Package.swift does not list it as a dependency"
        ),
        (
            "WorkerTests", "NewsflashKafka",
            "WorkerTests imports NewsflashKafka: Package.swift does not list it as a dependency"
        ),
        (
            "NewsflashWorker", "CNewsflashRDKafka",
            "NewsflashWorker imports CNewsflashRDKafka: only NewsflashKafka and NewsflashKafkaMock may"
        ),
        ("KafkaTests", "CNewsflashCurl", "a test imports CNewsflashCurl: only NewsflashCurlTransport may"),
        ("NewsflashCommands", "CNewsflashBench", "NewsflashCommands imports CNewsflashBench: only NewsflashBench may"),
        (
            "NewsflashRouting", "Dispatch",
            "NewsflashRouting (Rules) imports Dispatch: Rules and Base do no I/O and know no operating system"
        ),
        (
            "NewsflashEvents", "Glibc",
            "NewsflashEvents (Rules) imports Glibc: Rules and Base do no I/O and know no operating system"
        ),
        (
            "NewsflashWorker", "Foundation",
            "imports Foundation: nobody imports more of Foundation than FoundationEssentials"
        ),
        (
            "WorkerTests", "Foundation",
            "imports Foundation: nobody imports more of Foundation than FoundationEssentials"
        ),
    ])
    func `a violation names the rule that an import breaks`(target: String, module: String, message: String) {
        #expect(problems(target, "// first\n\nimport \(module)\n") == ["A.swift:3: \(message)"])
    }

    @Test(arguments: [
        ("NewsflashRendering", "NewsflashEvents"), ("NewsflashKafka", "CNewsflashRDKafka"),
        ("NewsflashKafkaMock", "NewsflashKafka"), ("NewsflashKafka", "NewsflashEvents"),
        ("NewsflashSigning", "CryptoKit"), ("NewsflashBasics", "Synchronization"),
        ("NewsflashRendering", "FoundationEssentials"), ("NewsflashWorker", "NewsflashKafka"),
        ("NewsflashKafka", "Dispatch"), ("newsflash", "NewsflashCommands"), ("KafkaTests", "NewsflashKafka"),
        ("NewsflashCommands", "NewsflashBasics"),
        ("NewsflashBench", "CNewsflashBench"), ("KafkaTests", "CNewsflashRDKafka"),
    ])
    func `an allowed import passes`(target: String, module: String) {
        #expect(problems(target, "import \(module)") == [])
    }

    @Test func `only the parts of Base that need the system import it`() {
        func problems(_ path: String) -> [String] {
            rules.violations(in: SourceFile(path: path, target: "NewsflashBasics", text: "import Glibc"))
        }
        let allowed = "Sources/Base/Basics/Locks/A.swift"
        let refused = "Sources/Base/Basics/ASCII/A.swift"
        #expect(problems(allowed) == [])
        #expect(
            problems(refused) == [
                "\(refused):1: NewsflashBasics (Base) imports Glibc: Rules and Base do no I/O and know no operating system"
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
        ("import NewsflashKafka", ["NewsflashKafka"]), ("  package import NewsflashKafka // why", ["NewsflashKafka"]),
        ("@testable import NewsflashKafka", ["NewsflashKafka"]),
        ("@preconcurrency public import struct NewsflashKafka.Offset", ["NewsflashKafka"]),
        ("import A; import B", ["A", "B"]), ("// import NewsflashKafka", []), ("importer.run()", []),
        ("let import_ = 1", []),
        ("\timport NewsflashKafka\r", ["NewsflashKafka"]),
    ])
    func `the modules of an import line are found`(line: String, modules: [String]) {
        #expect(SourceFile(path: "", target: "", text: line).imports.map(\.module) == modules)
    }

    @Test func `a dependency that no file imports is found, unless it is a program`() {
        let file = SourceFile(path: "A.swift", target: "KafkaTests", text: "import CNewsflashRDKafka")
        #expect(
            rules.unusedDependencies(of: [file]) == [
                "Package.swift: KafkaTests lists the dependency NewsflashKafka, and does not import it"
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
            targets: [base("NewsflashBasics"), base(
                "NewsflashSigning", // not "NewsflashTimestamps"
                "NewsflashBasics", .target(name: "CNewsflashCrypto", condition: .when(platforms: [.linux])), resources: [.copy("Data")]),
                testSupport("Kit", ["NewsflashBasics"] + more), .executableTarget(
                    name: "news-flash", dependencies: ["Kit"], path: "Sources/Main/news-flash")]
            """#
        )
        #expect(
            manifest.targets == [
                "NewsflashBasics": .init(path: "Sources/Base/Basics"),
                "NewsflashSigning": .init(
                    path: "Sources/Base/Signing",
                    dependencies: ["CNewsflashCrypto", "NewsflashBasics"]
                ),
                "Kit": .init(path: "Tests/Support/Kit", dependencies: ["NewsflashBasics"]),
                "news-flash": .init(path: "Sources/Main/news-flash", dependencies: ["Kit"], isProgram: true),
            ]
        )
        #expect(manifest.targets["NewsflashBasics"]?.layer == "Base")
        #expect(manifest.targets["Kit"]?.layer == nil)
    }

    @Test func `a foreign entry of the top level is found`() {
        let names = ["Package.swift", "Package.resolved", "artifacts", "x.xcodeproj", "notes.txt", "Sources"]
        #expect(
            strangers(among: names, gitignore: ".build/\n*.xcodeproj\nPackage.resolved\n/artifacts/\n") == ["notes.txt"]
        )
    }
}
