// swift-tools-version: 6.2

import PackageDescription

// The folder is the layer: the path of the target `NewsflashRouting` is `Sources/Rules/Routing`. A target depends only on
// targets of its own layer and of the layers below. `Tests/ArchitectureTests` checks that it imports exactly the dependencies
// that it lists.

/// The folder of a target. SwiftPM refuses a program whose packages have two targets with the same name, even if it uses only
/// one of them; so each of our names begins with `Newsflash` (C: `CNewsflash`), or with the name of a library.
func folder(of target: String) -> Substring {
    if target.hasPrefix("CNewsflash") { return "C" + target.dropFirst(10) }
    return target.hasPrefix("Newsflash") ? target.dropFirst(9) : target[...]
}

/// Modules are small here and an event passes through many: what one offers is inlined into the next. The compiler does so
/// with `public` declarations, and with `package` ones only where the module is testable; without the second flag even a
/// getter is a call, and a generic type is looked up at run time. It saves 6 to 10 % of a worker's processor time, and
/// release builds can be tested. SwiftPM takes no such flags of a package that it has checked out for another, so there they
/// are left out.
///
/// Debug builds, and so all tests, check at run time that nobody changes a property of an object while it is being changed.
/// Release builds do not: these checks were a sixth of the instructions of `core.stub`.
let releaseFlags: [SwiftSetting] =
    Context.packageDirectory.contains("/checkouts/")
    ? []
    : [
        .unsafeFlags(
            ["-cross-module-optimization", "-enable-testing", "-enforce-exclusivity=unchecked"],
            .when(configuration: .release)
        )
    ]

let upcomingFeatures: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
        .treatWarning("DeprecatedDeclaration", as: .warning),
    ] + releaseFlags

/// A C library of the system: a module map and a `shim.h`.
func c(_ name: String, pkgConfig: String, apt: String) -> Target {
    .systemLibrary(name: name, path: "Sources/C/\(folder(of: name))", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// Small things that everything stands on.
func base(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        path: "Sources/Base/\(folder(of: name))",
        swiftSettings: upcomingFeatures + [.strictMemorySafety()]
    )
}

/// Decisions without I/O.
func rules(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        path: "Sources/Rules/\(folder(of: name))",
        swiftSettings: upcomingFeatures + [.strictMemorySafety()]
    )
}

/// The edge: each adapter is the only room of its C library.
func adapter(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        path: "Sources/Adapters/\(folder(of: name))",
        swiftSettings: upcomingFeatures
    )
}

/// Programs as libraries: configuration in, running services out.
func app(_ name: String, _ dependencies: Target.Dependency..., resources: [Resource] = []) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        path: "Sources/Apps/\(folder(of: name))",
        resources: resources,
        swiftSettings: upcomingFeatures
    )
}

func tests(_ name: String, _ dependencies: Target.Dependency..., resources: [Resource] = []) -> Target {
    .testTarget(
        name: name,
        // In every test process: the bound on how many tests run at once.
        dependencies: dependencies + ["CNewsflashTestWidth"],
        path: "Tests/\(name)",
        // Read where they lie.
        exclude: name == "CommandsTests" ? ["Rehearse/Scenes"] : [],
        resources: resources,
        swiftSettings: upcomingFeatures
    )
}

/// What several test targets use; never in a product.
func testSupport(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        path: "Tests/Support/\(folder(of: name))",
        swiftSettings: upcomingFeatures
    )
}

/// Under the thread sanitizer the threads of librdkafka need help to be seen; see `.ci/sanitize`.
let threadSanitizer: [Target.Dependency] =
    Context.environment["NEWSFLASH_THREAD_SANITIZER"] == nil ? [] : ["CNewsflashTSanThreads"]

let package = Package(
    name: "newsflash",
    // For the library of apps; `.ci/apple-floor` holds it to them. `Duration` needs iOS 16. The program is for Linux, on whose
    // epoll its HTTP stands.
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .executable(name: "newsflash", targets: ["newsflash"]),
        // With the modules of the times and partitions in its messages.
        .library(
            name: "NewsflashKafka",
            targets: ["NewsflashKafka", "NewsflashTimestamps", "NewsflashTopicPartitions"]
        ),
        // With a transport, and the modules whose types its calls take.
        .library(
            name: "NotificationHubs",
            targets: [
                "NotificationHubs", "NotificationHubsCore", "NewsflashCurlTransport", "NewsflashHTTPTransport",
                "NewsflashTimestamps",
            ]
        ),
        // With the module of transports, for an app that brings its own.
        .library(name: "NewsSubscriptions", targets: ["NewsSubscriptions", "NewsflashHTTPTransport"]),
    ],
    targets: [
        c("CNewsflashRDKafka", pkgConfig: "rdkafka", apt: "librdkafka-dev"),
        c("CNewsflashCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),
        c("CNewsflashMicroHTTPD", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev"),
        c("CNewsflashYAML", pkgConfig: "yaml-0.1", apt: "libyaml-dev"),
        c("CNewsflashCrypto", pkgConfig: "libcrypto", apt: "libssl-dev"),
        c("CNewsflashExpat", pkgConfig: "expat", apt: "libexpat1-dev"),
        c("CNewsflashSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        .systemLibrary(name: "CNewsflashMalloc", path: "Sources/C/CMalloc"),

        base("NewsflashBasics"),
        base("NewsflashTimestamps", "NewsflashBasics"),
        base("NewsflashTopicPartitions"),
        // Apple's platforms have CryptoKit.
        base("NewsflashSigning", .target(name: "CNewsflashCrypto", condition: .when(platforms: [.linux]))),
        base("NewsflashStrictJSON", "NewsflashBasics"),
        base("NewsflashXMLText"),
        base("NewsflashStrictXML", "CNewsflashExpat", "NewsflashXMLText"),
        base("NewsflashHTTPTransport", "NewsflashBasics", "NewsflashTimestamps"),
        base("NewsflashHTTP1", "NewsflashBasics", "NewsflashHTTPTransport"),
        base("NewsflashCommandLineArguments"),
        base("NewsflashObservability", "NewsflashBasics", "NewsflashStrictJSON", "NewsflashTimestamps"),

        rules("NewsflashConfiguration", "NewsflashStrictJSON"),
        rules("NewsflashEvents", "NewsflashBasics", "NewsflashSigning", "NewsflashStrictJSON", "NewsflashTimestamps"),
        rules(
            "NotificationHubsCore",
            "NewsflashBasics",
            "NewsflashHTTPTransport",
            "NewsflashSigning",
            "NewsflashStrictJSON",
            "NewsflashTimestamps",
            "NewsflashXMLText"
        ),
        rules(
            "NotificationHubs",
            "NewsflashBasics",
            "NewsflashHTTPTransport",
            "NotificationHubsCore",
            "NewsflashStrictJSON",
            "NewsflashStrictXML",
            "NewsflashTimestamps"
        ),
        rules(
            "NewsSubscriptions",
            "NewsflashBasics",
            "NewsflashHTTPTransport",
            "NotificationHubsCore",
            "NewsflashSigning",
            "NewsflashStrictJSON",
            "NewsflashTimestamps"
        ),
        rules("NewsflashRouting", "NewsflashBasics", "NewsflashEvents", "NotificationHubs"),
        rules(
            "NewsflashRendering",
            "NewsflashBasics",
            "NewsflashEvents",
            "NewsflashSigning",
            "NewsflashStrictJSON",
            "NewsflashStrictXML",
            "NewsflashTimestamps"
        ),
        rules(
            "NewsflashPublishing",
            "NewsflashBasics",
            "NewsflashEvents",
            "NotificationHubs",
            "NewsflashRendering",
            "NewsflashRouting",
            "NewsflashSigning",
            "NewsflashStrictJSON",
            "NewsflashTimestamps",
            "NewsflashTopicPartitions"
        ),
        rules(
            "NewsflashPlanning",
            "NewsflashBasics",
            "NewsflashHTTPTransport",
            "NewsflashEvents",
            "NotificationHubs",
            "NewsflashPublishing",
            "NewsflashRendering",
            "NewsflashRouting",
            "NewsflashTimestamps"
        ),

        adapter(
            "NewsflashKafka",
            "NewsflashBasics",
            "CNewsflashRDKafka",
            "NewsflashTimestamps",
            "NewsflashTopicPartitions"
        ),
        adapter(
            "NewsflashKafkaMock",
            "NewsflashBasics",
            "CNewsflashRDKafka",
            "NewsflashKafka",
            "NewsflashTopicPartitions"
        ),
        adapter(
            "NewsflashCurlTransport",
            "NewsflashBasics",
            "CNewsflashCurl",
            "NewsflashHTTP1",
            "NewsflashHTTPTransport",
            "NewsflashTimestamps"
        ),
        adapter("NewsflashHTTPServer", "NewsflashBasics", "CNewsflashMicroHTTPD", "NewsflashHTTPTransport"),
        adapter("NewsflashCertificates", "CNewsflashCrypto", "NewsflashTimestamps"),
        adapter("NewsflashYAML", "CNewsflashYAML"),
        adapter("NewsflashSQLite", "CNewsflashSQLite"),
        adapter(
            "NewsflashJWT",
            "NewsflashBasics",
            "CNewsflashCrypto",
            "NewsflashSigning",
            "NewsflashStrictJSON",
            "NewsflashTimestamps"
        ),

        testSupport("NewsflashTestSupport", ["NewsflashBasics", "NewsflashObservability"]),
        testSupport(
            "NewsflashGuarantees",
            [
                "NewsflashHubEmulator", "NewsflashEvents", "NewsflashStrictJSON", "NewsflashTimestamps",
                "NewsflashTopicPartitions",
            ]
        ),
        // The core's fleet in virtual time: see `.github/TESTING.md`.
        testSupport(
            "NewsflashSimulation",
            [
                "NewsflashBasics", "NewsflashHTTPTransport", "NewsflashEvents", "NotificationHubs",
                "NewsflashPublishing", "NewsflashRendering", "NewsflashRouting",
                "NewsflashTimestamps", "NewsflashTopicPartitions",
            ]
        ),
        .executableTarget(
            name: "newsflash-simulate",
            dependencies: ["NewsflashSimulation"],
            path: "Tests/Simulate",
            swiftSettings: upcomingFeatures
        ),
        tests("SimulationTests", "NewsflashSimulation", "NewsflashTestSupport"),
        tests(
            "GuaranteesTests",
            "NewsflashGuarantees",
            "NewsflashEvents",
            "NewsflashPublishing",
            "NewsflashTimestamps",
            "NewsflashTopicPartitions"
        ),
        tests(
            "ClusterTests",
            // The workers are processes: the program has to be there.
            "newsflash",
            "NewsflashBasics",
            "NewsflashGuarantees",
            "NewsflashHTTPTransport",
            "NewsflashHubEmulator",
            "NewsflashKafka",
            "NewsflashKafkaMock",
            "NewsflashKafkaTestCluster",
            "NewsflashEvents",
            "NewsflashStrictJSON",
            "NewsflashTestSupport",
            "NewsflashTimestamps",
            "NewsflashTopicPartitions"
        ),
        tests("BasicsTests", "NewsflashBasics"),
        tests("TimestampsTests", "NewsflashTimestamps", "NewsflashTestSupport"),
        tests("SigningTests", "NewsflashSigning", "NewsflashTestSupport"),
        tests("StrictJSONTests", "NewsflashStrictJSON", "NewsflashTestSupport"),
        tests("StrictXMLTests", "NewsflashStrictXML"),
        tests("HTTPTransportTests", "NewsflashHTTPTransport", "NewsflashBasics", "NewsflashTimestamps"),
        tests("HTTP1Tests", "NewsflashHTTP1", "NewsflashHTTPTransport", "NewsflashHubRecordings"),
        tests("CommandLineArgumentsTests", "NewsflashCommandLineArguments", "NewsflashTestSupport"),
        tests(
            "ObservabilityTests",
            "NewsflashObservability",
            "NewsflashBasics",
            "NewsflashStrictJSON",
            "NewsflashTestSupport",
            "NewsflashTimestamps"
        ),
        tests("ConfigurationTests", "NewsflashConfiguration", "NewsflashStrictJSON", "NewsflashYAML"),
        tests("EventsTests", "NewsflashEvents", "NewsflashStrictJSON", "NewsflashTestSupport", "NewsflashTimestamps"),
        tests(
            "NotificationHubsTests",
            "NotificationHubs",
            "NewsflashBasics",
            "NewsflashHTTPTransport",
            "NewsflashHubRecordings",
            "NewsflashStrictJSON",
            "NewsflashStrictXML",
            "NewsflashTestSupport",
            "NewsflashTimestamps"
        ),
        tests(
            "NewsSubscriptionsTests",
            "NewsflashBasics",
            "NewsflashCurlTransport",
            "NewsflashHTTPTransport",
            "NewsflashHubEmulator",
            "NewsSubscriptions",
            "NotificationHubs",
            "NewsflashStrictJSON",
            "NewsflashStrictXML",
            "NewsflashTestSupport",
            "NewsflashTimestamps"
        ),
        tests(
            "RoutingTests",
            "NewsflashRouting",
            "NewsflashEvents",
            "NotificationHubs",
            "NewsflashStrictJSON",
            "NewsflashTestSupport"
        ),
        tests(
            "RenderingTests",
            "NewsflashRendering",
            "NewsflashEvents",
            "NewsflashStrictJSON",
            "NewsflashStrictXML",
            "NewsflashTestSupport",
            "NewsflashTimestamps"
        ),
        tests(
            "PublishingTests",
            "NewsflashBasics",
            "NewsflashHTTPTransport",
            "NewsflashEvents",
            "NotificationHubs",
            "NewsflashPublishing",
            "NewsflashRendering",
            "NewsflashRouting",
            "NewsflashTestSupport",
            "NewsflashTimestamps",
            "NewsflashTopicPartitions"
        ),
        tests(
            "PlanningTests",
            "NewsflashHTTPTransport",
            "NewsflashEvents",
            "NotificationHubs",
            "NewsflashPlanning",
            "NewsflashPublishing",
            "NewsflashRendering",
            "NewsflashRouting",
            "NewsflashStrictJSON",
            "NewsflashTestSupport",
            "NewsflashTimestamps",
            // For rules in the form of the configuration.
            "NewsflashWorker"
        ),
        .target(name: "CNewsflashTSanThreads", path: "Tests/Support/CTSanThreads"),
        .target(name: "CNewsflashTestWidth", path: "Tests/Support/CTestWidth"),
        .target(name: "CNewsflashThreadHold", path: "Tests/Support/CThreadHold"),
        testSupport(
            "NewsflashKafkaTestCluster",
            [
                "NewsflashBasics", "NewsflashKafka", "NewsflashKafkaMock", "NewsflashTestSupport",
                "NewsflashTopicPartitions",
            ] + threadSanitizer
        ),
        tests(
            "KafkaTests",
            "NewsflashBasics",
            "CNewsflashRDKafka",
            "NewsflashKafka",
            "NewsflashKafkaMock",
            "NewsflashKafkaTestCluster",
            "NewsflashTestSupport",
            "NewsflashTimestamps",
            "NewsflashTopicPartitions"
        ),
        tests(
            "CurlTransportTests",
            "NewsflashBasics",
            "CNewsflashCurl",
            "NewsflashCurlTransport",
            "NewsflashHTTPTransport",
            "NewsflashTestSupport",
            "NewsflashTimestamps"
        ),
        tests(
            "CertificatesTests",
            "CNewsflashCrypto",
            "NewsflashCertificates",
            "NewsflashTestSupport",
            "NewsflashTimestamps"
        ),
        tests("HTTPServerTests", "NewsflashHTTPServer", "NewsflashBasics", "NewsflashTestSupport"),
        tests("YAMLTests", "NewsflashYAML"),
        tests("SQLiteTests", "NewsflashSQLite", "NewsflashTestSupport"),
        tests(
            "JWTTests",
            "CNewsflashCrypto",
            "NewsflashJWT",
            "NewsflashSigning",
            "NewsflashTestSupport",
            "NewsflashTimestamps"
        ),
        tests("ArchitectureTests"),
        tests("TestSupportTests", "NewsflashTestSupport", "NewsflashBasics"),
        tests(
            "FuzzTests",
            "NewsflashGateway",
            "NewsflashHTTP1",
            "NewsflashHTTPTransport",
            "NewsflashJWT",
            "NewsflashEvents",
            "NotificationHubs",
            "NotificationHubsCore",
            "NewsflashPublishing",
            "NewsflashSigning",
            "NewsflashStrictJSON",
            "NewsflashStrictXML",
            "NewsflashTestSupport",
            "NewsflashTimestamps",
            "NewsflashWorker",
            "NewsflashYAML"
        ),

        app(
            "NewsflashHubEmulator",
            "NewsflashBasics",
            "NewsflashCertificates",
            "NewsflashHTTPServer",
            "NewsflashHTTPTransport",
            "NotificationHubs",
            "NewsflashSQLite",
            "NewsflashSigning",
            "NewsflashStrictJSON",
            "NewsflashStrictXML",
            "NewsflashTimestamps",
            // In the program itself, since a bundle would need all of Foundation.
            resources: [.embedInCode("Console/Resources")]
        ),
        app(
            "NewsflashWorker",
            "NewsflashBasics",
            "NewsflashCommandLineArguments",
            "NewsflashConfiguration",
            "NewsflashCurlTransport",
            "NewsflashHTTPServer",
            "NewsflashHTTPTransport",
            "NewsflashKafka",
            "NewsflashEvents",
            "NotificationHubs",
            "NewsflashObservability",
            "NewsflashPlanning",
            "NewsflashPublishing",
            "NewsflashRendering",
            "NewsflashRouting",
            "NewsflashSigning",
            "NewsflashStrictJSON",
            "NewsflashTimestamps",
            "NewsflashTopicPartitions",
            "NewsflashYAML"
        ),
        app(
            "NewsflashGateway",
            "NewsflashBasics",
            "NewsflashCurlTransport",
            "NewsflashHTTPServer",
            "NewsflashHTTPTransport",
            "NewsflashJWT",
            "NewsflashKafka",
            "NewsflashEvents",
            "NotificationHubs",
            "NewsflashObservability",
            "NewsflashPlanning",
            "NewsflashPublishing",
            "NewsflashRendering",
            "NewsflashRouting",
            "NewsflashSigning",
            "NewsflashStrictJSON",
            "NewsflashTimestamps",
            "NewsflashTopicPartitions",
            "NewsflashWorker",
            "NewsflashXMLText"
        ),
        app(
            "NewsflashOperations",
            "NewsflashBasics",
            "NewsflashCommandLineArguments",
            "NewsflashCurlTransport",
            "NewsflashGateway",
            "NewsflashHTTPTransport",
            "NewsflashJWT",
            "NewsflashKafka",
            "NewsflashEvents",
            "NotificationHubs",
            "NewsflashObservability",
            "NewsflashPlanning",
            "NewsflashPublishing",
            "NewsflashRendering",
            "NewsflashRouting",
            "NewsflashSigning",
            "NewsflashStrictJSON",
            "NewsflashTimestamps",
            "NewsflashTopicPartitions",
            "NewsflashWorker",
            "NewsflashYAML"
        ),
        app(
            "NewsflashDemo",
            "NewsflashBasics",
            "NewsflashGateway",
            "NewsflashHTTPTransport",
            "NewsflashHubEmulator",
            "NewsflashKafka",
            "NewsflashKafkaMock",
            "NewsflashEvents",
            "NotificationHubs",
            "NewsflashObservability",
            "NewsflashPublishing",
            "NewsflashSigning",
            "NewsflashStrictJSON",
            "NewsflashTimestamps",
            "NewsflashTopicPartitions",
            "NewsflashWorker"
        ),
        .target(
            name: "NewsflashCommands",
            dependencies: [
                "NewsflashBasics", "CNewsflashMalloc", "NewsflashCertificates", "NewsflashCommandLineArguments",
                "NewsflashDemo", "NewsflashGateway", "NewsflashHTTPServer",
                "NewsflashHubEmulator", "NewsflashKafka", "NewsflashEvents", "NotificationHubs",
                "NewsflashObservability", "NewsflashOperations", "NewsflashPublishing",
                "NewsflashSigning", "NewsflashTimestamps", "NewsflashWorker",
            ],
            path: "Sources/Main/Commands",
            swiftSettings: upcomingFeatures
        ),
        .executableTarget(
            name: "newsflash",
            dependencies: [
                "NewsflashCommandLineArguments", "NewsflashCommands", "NewsflashOperations", "NewsflashSigning",
            ] + threadSanitizer,
            path: "Sources/Main/newsflash",
            swiftSettings: upcomingFeatures
        ),
        // What an event costs, step by step; run by `.ci/benchmark`.
        .executableTarget(
            name: "newsflash-benchmarks",
            dependencies: [
                "NewsflashBasics", "NewsflashHTTP1", "NewsflashHTTPTransport", "NewsflashKafka", "NewsflashEvents",
                "NotificationHubs", "NewsflashObservability",
                "NewsflashPlanning", "NewsflashPublishing", "NewsflashRendering", "NewsflashRouting",
                "NewsflashStrictJSON", "NewsflashTimestamps", "NewsflashTopicPartitions",
                "NewsflashWorker",
            ],
            path: "Tests/Benchmarks/Steps",
            exclude: ["thresholds.json"],
            swiftSettings: upcomingFeatures
        ),
        // Throughput, latency and memory: see `.github/BENCHMARKS.md`.
        .target(name: "CNewsflashBench", dependencies: ["CNewsflashCurl"], path: "Tests/Benchmarks/CBench"),
        .target(
            name: "NewsflashBench",
            dependencies: [
                "NewsflashBasics", "CNewsflashBench", "NewsflashCommandLineArguments", "NewsflashCommands",
                "NewsflashCurlTransport", "NewsflashHTTPServer", "NewsflashHTTPTransport",
                "NewsflashHubEmulator", "NewsflashKafka", "NewsflashKafkaMock", "NotificationHubs",
                "NewsflashOperations", "NewsflashSigning", "NewsflashStrictJSON",
                "NewsflashTimestamps", "NewsflashWorker",
            ],
            path: "Tests/Benchmarks/Bench",
            swiftSettings: upcomingFeatures
        ),
        .executableTarget(
            name: "newsflash-bench",
            // It starts `newsflash`: the program has to be there.
            dependencies: ["NewsflashBench", "NewsflashCommandLineArguments", "newsflash"] + threadSanitizer,
            path: "Tests/Benchmarks/newsflash-bench",
            swiftSettings: upcomingFeatures
        ),
        tests(
            "BenchTests",
            // They start `newsflash-bench` too, which every build of tests has. With both as dependencies a release build would
            // link two programs into the tests.
            "newsflash",
            "NewsflashBench",
            "NewsflashCommandLineArguments",
            "NewsflashKafkaTestCluster",
            "NewsflashEvents",
            "NewsflashStrictJSON",
            "NewsflashTestSupport",
            "NewsflashTimestamps"
        ),
        .target(
            name: "NewsflashHubRecordings",
            dependencies: ["NewsflashStrictJSON", "NewsflashTestSupport"],
            path: "Tests/Support/HubRecordings",
            swiftSettings: upcomingFeatures
        ),
        tests(
            "HubEmulatorTests",
            "NewsflashHubEmulator",
            "NewsflashBasics",
            "NewsflashCertificates",
            "NewsflashCurlTransport",
            "NewsflashHTTPServer",
            "NewsflashHTTPTransport",
            "NewsflashHubRecordings",
            "NotificationHubs",
            "NewsflashSQLite",
            "NewsflashStrictJSON",
            "NewsflashStrictXML",
            "NewsflashTestSupport",
            "NewsflashTimestamps"
        ),
        tests(
            "WorkerTests",
            "NewsflashWorker",
            "NewsflashBasics",
            "NewsflashConfiguration",
            "NewsflashCurlTransport",
            "NewsflashGuarantees",
            "NewsflashHTTPServer",
            "NewsflashHTTPTransport",
            "NewsflashHubEmulator",
            "NewsflashKafka",
            "NewsflashKafkaMock",
            "NewsflashKafkaTestCluster",
            "NewsflashEvents",
            "NotificationHubs",
            "NewsflashObservability",
            "NewsflashPlanning",
            "NewsflashPublishing",
            "NewsflashRendering",
            "NewsflashRouting",
            "NewsflashStrictJSON",
            "NewsflashTestSupport",
            "NewsflashTimestamps",
            "NewsflashTopicPartitions"
        ),
        tests(
            "GatewayTests",
            "NewsflashGateway",
            "NewsflashBasics",
            "NewsflashCertificates",
            "NewsflashCurlTransport",
            "NewsflashHTTPServer",
            "NewsflashHTTPTransport",
            "NewsflashHubEmulator",
            "NewsflashKafka",
            "NewsflashKafkaMock",
            "NewsflashKafkaTestCluster",
            "NewsflashEvents",
            "NewsSubscriptions",
            "NotificationHubs",
            "NewsflashObservability",
            "NewsflashPublishing",
            "NewsflashRendering",
            "NewsflashSigning",
            "NewsflashStrictJSON",
            "NewsflashTestSupport",
            "NewsflashTimestamps",
            "NewsflashTopicPartitions",
            "NewsflashWorker",
            "NewsflashYAML"
        ),
        tests(
            "CommandsTests",
            // The tests start the program: it has to be there.
            "newsflash",
            "NewsflashBasics",
            "CNewsflashThreadHold",
            "NewsflashCertificates",
            "NewsflashCommands",
            "NewsflashCommandLineArguments",
            "NewsflashCurlTransport",
            "NewsflashGateway",
            "NewsflashHTTPServer",
            "NewsflashHTTPTransport",
            "NewsflashHubEmulator",
            "NewsflashKafka",
            "NewsflashKafkaMock",
            "NewsflashKafkaTestCluster",
            "NewsflashEvents",
            "NewsSubscriptions",
            "NotificationHubs",
            "NewsflashObservability",
            "NewsflashOperations",
            "NewsflashPlanning",
            "NewsflashPublishing",
            "NewsflashRendering",
            "NewsflashRouting",
            "NewsflashSigning",
            "NewsflashStrictJSON",
            "NewsflashStrictXML",
            "NewsflashTestSupport",
            "NewsflashTimestamps",
            "NewsflashTopicPartitions",
            "NewsflashWorker"
        ),
    ],
    swiftLanguageModes: [.v6]
)

// For work in one room: `NEWSFLASH_TESTS=KafkaTests,HTTP1Tests swift test` builds these tests and no others.
if let names = Context.environment["NEWSFLASH_TESTS"]?.split(separator: ",").map(String.init) {
    package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}

// A build of the program alone needs no tests, and with them out of sight stays as it is when they change.
if Context.environment["NEWSFLASH_WITHOUT_TESTS"] != nil {
    package.targets.removeAll { $0.path?.hasPrefix("Tests/") == true }
}
