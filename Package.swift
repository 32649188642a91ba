// swift-tools-version: 6.2

import PackageDescription

// The folder is the layer: the path of a target is `Sources/<Layer>/<Target>`. A target depends only on targets of its own
// layer and of the layers below. `Tests/ArchitectureTests` checks that it imports exactly the dependencies that it lists.

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
    .systemLibrary(name: name, path: "Sources/C/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// Small things that everything stands on.
func base(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        path: "Sources/Base/\(name)",
        swiftSettings: upcomingFeatures + [.strictMemorySafety()]
    )
}

/// Decisions without I/O.
func rules(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        path: "Sources/Rules/\(name)",
        swiftSettings: upcomingFeatures + [.strictMemorySafety()]
    )
}

/// The edge: each adapter is the only room of its C library.
func adapter(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        path: "Sources/Adapters/\(name)",
        swiftSettings: upcomingFeatures
    )
}

/// Programs as libraries: configuration in, running services out.
func app(_ name: String, _ dependencies: Target.Dependency..., resources: [Resource] = []) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        path: "Sources/Apps/\(name)",
        resources: resources,
        swiftSettings: upcomingFeatures
    )
}

func tests(_ name: String, _ dependencies: Target.Dependency..., resources: [Resource] = []) -> Target {
    .testTarget(
        name: name,
        // In every test process: the bound on how many tests run at once.
        dependencies: dependencies + ["CTestWidth"],
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
        path: "Tests/Support/\(name)",
        swiftSettings: upcomingFeatures
    )
}

/// Under the thread sanitizer the threads of librdkafka need help to be seen; see `.ci/sanitize`.
let threadSanitizer: [Target.Dependency] =
    Context.environment["NEWSFLASH_THREAD_SANITIZER"] == nil ? [] : ["CTSanThreads"]

let package = Package(
    name: "newsflash",
    // For the library of apps; `.ci/apple-floor` holds it to them. `Duration` needs iOS 16. The program is for Linux, on whose
    // epoll its HTTP stands.
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .executable(name: "newsflash", targets: ["newsflash"]),
        // With the modules of the times and partitions in its messages.
        .library(name: "Kafka", targets: ["Kafka", "Timestamps", "TopicPartitions"]),
        // With a transport, and the modules whose types its calls take.
        .library(
            name: "NotificationHubs",
            targets: ["NotificationHubs", "NotificationHubsCore", "CurlTransport", "HTTPTransport", "Timestamps"]
        ),
        // With the module of transports, for an app that brings its own.
        .library(name: "NewsSubscriptions", targets: ["NewsSubscriptions", "HTTPTransport"]),
    ],
    targets: [
        c("CRDKafka", pkgConfig: "rdkafka", apt: "librdkafka-dev"),
        c("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),
        c("CMicroHTTPD", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev"),
        c("CYAML", pkgConfig: "yaml-0.1", apt: "libyaml-dev"),
        c("CCrypto", pkgConfig: "libcrypto", apt: "libssl-dev"),
        c("CExpat", pkgConfig: "expat", apt: "libexpat1-dev"),
        c("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        .systemLibrary(name: "CMalloc", path: "Sources/C/CMalloc"),

        base("Basics"),
        base("Timestamps", "Basics"),
        base("TopicPartitions"),
        // Apple's platforms have CryptoKit.
        base("Signing", .target(name: "CCrypto", condition: .when(platforms: [.linux]))),
        base("StrictJSON", "Basics"),
        base("XMLText"),
        base("StrictXML", "CExpat", "XMLText"),
        base("HTTPTransport", "Basics", "Timestamps"),
        base("HTTP1", "Basics", "HTTPTransport"),
        base("CommandLineArguments"),
        base("Observability", "Basics", "StrictJSON", "Timestamps"),

        rules("Configuration", "StrictJSON"),
        rules("NewsEvents", "Basics", "Signing", "StrictJSON", "Timestamps"),
        rules("NotificationHubsCore", "Basics", "HTTPTransport", "Signing", "StrictJSON", "Timestamps", "XMLText"),
        rules(
            "NotificationHubs",
            "Basics",
            "HTTPTransport",
            "NotificationHubsCore",
            "StrictJSON",
            "StrictXML",
            "Timestamps"
        ),
        rules(
            "NewsSubscriptions",
            "Basics",
            "HTTPTransport",
            "NotificationHubsCore",
            "Signing",
            "StrictJSON",
            "Timestamps"
        ),
        rules("Routing", "Basics", "NewsEvents", "NotificationHubs"),
        rules("Rendering", "Basics", "NewsEvents", "Signing", "StrictJSON", "StrictXML", "Timestamps"),
        rules(
            "Publishing",
            "Basics",
            "NewsEvents",
            "NotificationHubs",
            "Rendering",
            "Routing",
            "Signing",
            "StrictJSON",
            "Timestamps",
            "TopicPartitions"
        ),
        rules(
            "Planning",
            "Basics",
            "HTTPTransport",
            "NewsEvents",
            "NotificationHubs",
            "Publishing",
            "Rendering",
            "Routing",
            "Timestamps"
        ),

        adapter("Kafka", "Basics", "CRDKafka", "Timestamps", "TopicPartitions"),
        adapter("KafkaMock", "Basics", "CRDKafka", "Kafka", "TopicPartitions"),
        adapter("CurlTransport", "Basics", "CCurl", "HTTP1", "HTTPTransport", "Timestamps"),
        adapter("HTTPServer", "Basics", "CMicroHTTPD", "HTTPTransport"),
        adapter("Certificates", "CCrypto", "Timestamps"),
        adapter("YAML", "CYAML"),
        adapter("SQLite", "CSQLite"),
        adapter("JWT", "Basics", "CCrypto", "Signing", "StrictJSON", "Timestamps"),

        testSupport("TestSupport", ["Basics", "Observability"]),
        testSupport("Guarantees", ["HubEmulator", "NewsEvents", "StrictJSON", "Timestamps", "TopicPartitions"]),
        // The core's fleet in virtual time: see `.github/TESTING.md`.
        testSupport(
            "Simulation",
            [
                "Basics", "HTTPTransport", "NewsEvents", "NotificationHubs", "Publishing", "Rendering", "Routing",
                "Timestamps", "TopicPartitions",
            ]
        ),
        .executableTarget(
            name: "simulate",
            dependencies: ["Simulation"],
            path: "Tests/Simulate",
            swiftSettings: upcomingFeatures
        ),
        tests("SimulationTests", "Simulation", "TestSupport"),
        tests("GuaranteesTests", "Guarantees", "NewsEvents", "Publishing", "Timestamps", "TopicPartitions"),
        tests(
            "ClusterTests",
            // The workers are processes: the program has to be there.
            "newsflash",
            "Basics",
            "Guarantees",
            "HTTPTransport",
            "HubEmulator",
            "Kafka",
            "KafkaMock",
            "KafkaTestCluster",
            "NewsEvents",
            "StrictJSON",
            "TestSupport",
            "Timestamps",
            "TopicPartitions"
        ),
        tests("BasicsTests", "Basics"),
        tests("TimestampsTests", "Timestamps", "TestSupport"),
        tests("SigningTests", "Signing", "TestSupport"),
        tests("StrictJSONTests", "StrictJSON", "TestSupport"),
        tests("StrictXMLTests", "StrictXML"),
        tests("HTTPTransportTests", "HTTPTransport", "Basics", "Timestamps"),
        tests("HTTP1Tests", "HTTP1", "HTTPTransport", "HubRecordings"),
        tests("CommandLineArgumentsTests", "CommandLineArguments", "TestSupport"),
        tests("ObservabilityTests", "Observability", "Basics", "StrictJSON", "TestSupport", "Timestamps"),
        tests("ConfigurationTests", "Configuration", "StrictJSON", "YAML"),
        tests("NewsEventsTests", "NewsEvents", "StrictJSON", "TestSupport", "Timestamps"),
        tests(
            "NotificationHubsTests",
            "NotificationHubs",
            "Basics",
            "HTTPTransport",
            "HubRecordings",
            "StrictJSON",
            "StrictXML",
            "TestSupport",
            "Timestamps"
        ),
        tests(
            "NewsSubscriptionsTests",
            "Basics",
            "CurlTransport",
            "HTTPTransport",
            "HubEmulator",
            "NewsSubscriptions",
            "NotificationHubs",
            "StrictJSON",
            "StrictXML",
            "TestSupport",
            "Timestamps"
        ),
        tests("RoutingTests", "Routing", "NewsEvents", "NotificationHubs", "StrictJSON", "TestSupport"),
        tests("RenderingTests", "Rendering", "NewsEvents", "StrictJSON", "StrictXML", "TestSupport", "Timestamps"),
        tests(
            "PublishingTests",
            "Basics",
            "HTTPTransport",
            "NewsEvents",
            "NotificationHubs",
            "Publishing",
            "Rendering",
            "Routing",
            "TestSupport",
            "Timestamps",
            "TopicPartitions"
        ),
        tests(
            "PlanningTests",
            "HTTPTransport",
            "NewsEvents",
            "NotificationHubs",
            "Planning",
            "Publishing",
            "Rendering",
            "Routing",
            "StrictJSON",
            "TestSupport",
            "Timestamps",
            // For rules in the form of the configuration.
            "Worker"
        ),
        .target(name: "CTSanThreads", path: "Tests/Support/CTSanThreads"),
        .target(name: "CTestWidth", path: "Tests/Support/CTestWidth"),
        .target(name: "CThreadHold", path: "Tests/Support/CThreadHold"),
        testSupport(
            "KafkaTestCluster",
            ["Basics", "Kafka", "KafkaMock", "TestSupport", "TopicPartitions"] + threadSanitizer
        ),
        tests(
            "KafkaTests",
            "Basics",
            "CRDKafka",
            "Kafka",
            "KafkaMock",
            "KafkaTestCluster",
            "TestSupport",
            "Timestamps",
            "TopicPartitions"
        ),
        tests("CurlTransportTests", "Basics", "CCurl", "CurlTransport", "HTTPTransport", "TestSupport", "Timestamps"),
        tests("CertificatesTests", "CCrypto", "Certificates", "TestSupport", "Timestamps"),
        tests("HTTPServerTests", "HTTPServer", "Basics", "TestSupport"),
        tests("YAMLTests", "YAML"),
        tests("SQLiteTests", "SQLite", "TestSupport"),
        tests("JWTTests", "CCrypto", "JWT", "Signing", "TestSupport", "Timestamps"),
        tests("ArchitectureTests"),
        tests("TestSupportTests", "TestSupport", "Basics"),
        tests(
            "FuzzTests",
            "Gateway",
            "HTTP1",
            "HTTPTransport",
            "JWT",
            "NewsEvents",
            "NotificationHubs",
            "NotificationHubsCore",
            "Publishing",
            "Signing",
            "StrictJSON",
            "StrictXML",
            "TestSupport",
            "Timestamps",
            "Worker",
            "YAML"
        ),

        app(
            "HubEmulator",
            "Basics",
            "Certificates",
            "HTTPServer",
            "HTTPTransport",
            "NotificationHubs",
            "SQLite",
            "Signing",
            "StrictJSON",
            "StrictXML",
            "Timestamps",
            // In the program itself, since a bundle would need all of Foundation.
            resources: [.embedInCode("Console/Resources")]
        ),
        app(
            "Worker",
            "Basics",
            "CommandLineArguments",
            "Configuration",
            "CurlTransport",
            "HTTPServer",
            "HTTPTransport",
            "Kafka",
            "NewsEvents",
            "NotificationHubs",
            "Observability",
            "Planning",
            "Publishing",
            "Rendering",
            "Routing",
            "Signing",
            "StrictJSON",
            "Timestamps",
            "TopicPartitions",
            "YAML"
        ),
        app(
            "Gateway",
            "Basics",
            "CurlTransport",
            "HTTPServer",
            "HTTPTransport",
            "JWT",
            "Kafka",
            "NewsEvents",
            "NotificationHubs",
            "Observability",
            "Planning",
            "Publishing",
            "Rendering",
            "Routing",
            "Signing",
            "StrictJSON",
            "Timestamps",
            "TopicPartitions",
            "Worker",
            "XMLText"
        ),
        app(
            "Operations",
            "Basics",
            "CommandLineArguments",
            "CurlTransport",
            "Gateway",
            "HTTPTransport",
            "JWT",
            "Kafka",
            "NewsEvents",
            "NotificationHubs",
            "Observability",
            "Planning",
            "Publishing",
            "Rendering",
            "Routing",
            "Signing",
            "StrictJSON",
            "Timestamps",
            "TopicPartitions",
            "Worker",
            "YAML"
        ),
        app(
            "Demo",
            "Basics",
            "Gateway",
            "HTTPTransport",
            "HubEmulator",
            "Kafka",
            "KafkaMock",
            "NewsEvents",
            "NotificationHubs",
            "Observability",
            "Publishing",
            "Signing",
            "Timestamps",
            "TopicPartitions",
            "Worker"
        ),
        .target(
            name: "Commands",
            dependencies: [
                "Basics", "CMalloc", "Certificates", "CommandLineArguments", "Demo", "Gateway", "HTTPServer",
                "HubEmulator", "Kafka", "NewsEvents", "NotificationHubs", "Observability", "Operations", "Publishing",
                "Signing", "Timestamps", "Worker",
            ],
            path: "Sources/Main/Commands",
            swiftSettings: upcomingFeatures
        ),
        .executableTarget(
            name: "newsflash",
            dependencies: ["CommandLineArguments", "Commands", "Operations", "Signing"] + threadSanitizer,
            path: "Sources/Main/newsflash",
            swiftSettings: upcomingFeatures
        ),
        // What an event costs, step by step; run by `.ci/benchmark`.
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "Basics", "HTTP1", "HTTPTransport", "Kafka", "NewsEvents", "NotificationHubs", "Observability",
                "Planning", "Publishing", "Rendering", "Routing", "StrictJSON", "Timestamps", "TopicPartitions",
                "Worker",
            ],
            path: "Tests/Benchmarks/Steps",
            exclude: ["thresholds.json"],
            swiftSettings: upcomingFeatures
        ),
        // Throughput, latency and memory: see `.github/BENCHMARKS.md`.
        .target(name: "CBench", dependencies: ["CCurl"], path: "Tests/Benchmarks/CBench"),
        .target(
            name: "Bench",
            dependencies: [
                "Basics", "CBench", "CommandLineArguments", "Commands", "CurlTransport", "HTTPServer", "HTTPTransport",
                "HubEmulator", "Kafka", "KafkaMock", "NotificationHubs", "Operations", "Signing", "StrictJSON",
                "Timestamps", "Worker",
            ],
            path: "Tests/Benchmarks/Bench",
            swiftSettings: upcomingFeatures
        ),
        .executableTarget(
            name: "newsflash-bench",
            // It starts `newsflash`: the program has to be there.
            dependencies: ["Bench", "CommandLineArguments", "newsflash"] + threadSanitizer,
            path: "Tests/Benchmarks/newsflash-bench",
            swiftSettings: upcomingFeatures
        ),
        tests(
            "BenchTests",
            // They start `newsflash-bench` too, which every build of tests has. With both as dependencies a release build would
            // link two programs into the tests.
            "newsflash",
            "Bench",
            "CommandLineArguments",
            "KafkaTestCluster",
            "NewsEvents",
            "StrictJSON",
            "TestSupport",
            "Timestamps"
        ),
        .target(
            name: "HubRecordings",
            dependencies: ["StrictJSON", "TestSupport"],
            path: "Tests/Support/HubRecordings",
            swiftSettings: upcomingFeatures
        ),
        tests(
            "HubEmulatorTests",
            "HubEmulator",
            "Basics",
            "Certificates",
            "CurlTransport",
            "HTTPServer",
            "HTTPTransport",
            "HubRecordings",
            "NotificationHubs",
            "SQLite",
            "StrictJSON",
            "StrictXML",
            "TestSupport",
            "Timestamps"
        ),
        tests(
            "WorkerTests",
            "Worker",
            "Basics",
            "Configuration",
            "CurlTransport",
            "Guarantees",
            "HTTPServer",
            "HTTPTransport",
            "HubEmulator",
            "Kafka",
            "KafkaMock",
            "KafkaTestCluster",
            "NewsEvents",
            "NotificationHubs",
            "Observability",
            "Planning",
            "Publishing",
            "Rendering",
            "Routing",
            "StrictJSON",
            "TestSupport",
            "Timestamps",
            "TopicPartitions"
        ),
        tests(
            "GatewayTests",
            "Gateway",
            "Basics",
            "Certificates",
            "CurlTransport",
            "HTTPServer",
            "HTTPTransport",
            "HubEmulator",
            "Kafka",
            "KafkaTestCluster",
            "NewsEvents",
            "NewsSubscriptions",
            "NotificationHubs",
            "Observability",
            "Publishing",
            "Rendering",
            "Signing",
            "StrictJSON",
            "TestSupport",
            "Timestamps",
            "TopicPartitions",
            "Worker",
            "YAML"
        ),
        tests(
            "CommandsTests",
            // The tests start the program: it has to be there.
            "newsflash",
            "Basics",
            "CThreadHold",
            "Certificates",
            "Commands",
            "CommandLineArguments",
            "CurlTransport",
            "Gateway",
            "HTTPServer",
            "HTTPTransport",
            "HubEmulator",
            "Kafka",
            "KafkaMock",
            "KafkaTestCluster",
            "NewsEvents",
            "NewsSubscriptions",
            "NotificationHubs",
            "Observability",
            "Operations",
            "Planning",
            "Publishing",
            "Rendering",
            "Routing",
            "Signing",
            "StrictJSON",
            "StrictXML",
            "TestSupport",
            "Timestamps",
            "TopicPartitions",
            "Worker"
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
