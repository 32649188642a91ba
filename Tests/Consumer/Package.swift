// swift-tools-version: 6.3

import PackageDescription

// A foreign program, which can use the package only as any other package can. `.ci/consumer` builds and runs it, once
// with this checkout and once with a clone of it, as SwiftPM makes one for a URL.
let newsflash: Package.Dependency =
    if let url = Context.environment["NEWSFLASH_URL"], let revision = Context.environment["NEWSFLASH_REVISION"] {
        .package(url: url, revision: revision)
    } else {
        .package(name: "newsflash", path: "../..")
    }

/// Targets as a program or another package may have them. SwiftPM refuses two with one name, so newsflash must have none of
/// these.
let others = ["Commands", "Gateway", "JWT", "Kafka", "SQLite", "Signing", "TestSupport", "Worker", "YAML"]

let package = Package(
    name: "consumer",
    platforms: [.macOS(.v15)],
    dependencies: [newsflash],
    targets: [
        .executableTarget(
            name: "consumer",
            dependencies: [
                .product(name: "NewsflashKafka", package: "newsflash"),
                .product(name: "NewsSubscriptions", package: "newsflash"),
                .product(name: "NotificationHubs", package: "newsflash"),
            ] + others.map { .target(name: $0) },
            path: "Sources/Consumer"
        )
    ] + others.map { .target(name: $0, path: "Sources/Others/\($0)") }
)
