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

let package = Package(
    name: "consumer",
    platforms: [.macOS(.v15)],
    dependencies: [newsflash],
    targets: [
        .executableTarget(
            name: "consumer",
            dependencies: [
                .product(name: "Kafka", package: "newsflash"),
                .product(name: "NewsSubscriptions", package: "newsflash"),
                .product(name: "NotificationHubs", package: "newsflash"),
            ],
            path: "Sources"
        )
    ]
)
