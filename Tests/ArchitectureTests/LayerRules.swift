/// The imports that a target may have: the dependencies that `Package.swift` lists for it, from its own layer and the layers
/// below. The folder is the layer.
struct LayerRules {
    /// The layers from the bottom up.
    static let layers = ["C", "Base", "Rules", "Adapters", "Apps", "Main"]

    /// The only targets that import a C library, besides their tests.
    static let rooms: [String: Set<String>] = [
        "CNewsflashRDKafka": ["NewsflashKafka", "NewsflashKafkaMock"],
        "CNewsflashCurl": ["NewsflashCurlTransport"],
        "CNewsflashMicroHTTPD": ["NewsflashHTTPServer"],
        "CNewsflashYAML": ["NewsflashYAML"],
        "CNewsflashCrypto": ["NewsflashCertificates", "NewsflashJWT", "NewsflashSigning"],
        "CNewsflashExpat": ["NewsflashStrictXML"],
        "CNewsflashSQLite": ["NewsflashSQLite"],
        // The measuring code of the bench must not be an adapter that it measures.
        "CNewsflashBench": ["NewsflashBench"],
        "CNewsflashMalloc": ["NewsflashCommands"],
    ]

    /// The modules of the toolchain without I/O; Rules and Base may import no others besides our own.
    static let pureModules: Set<String> = ["FoundationEssentials", "Swift", "Synchronization"]
    /// The paths of Base that need the system: its clock, mutex, threads, `write` and `exit`.
    static let systemPaths = [
        "Sources/Base/Basics/Locks/", "Sources/Base/Basics/Threads/", "Sources/Base/CommandLineArguments/",
        "Sources/Base/Observability/Logging/", "Sources/Base/Timestamps/Instant.swift",
        "Sources/Base/Timestamps/Timestamp.swift",
    ]
    static let systemModules: Set<String> = ["Glibc", "Darwin"]
    /// Foundation, and its parts that add tens of megabytes.
    static let heavyModules: Set<String> = ["Foundation", "FoundationNetworking", "FoundationInternationalization"]
    /// The folder in a target of Rules that uses the system, for app libraries on phones, where `FoundationEssentials`
    /// is part of `Foundation`. `.ci/check-subscriptions` shows that nothing of it is linked here.
    static let platformFolders = ["NewsSubscriptions": "Sources/Rules/NewsSubscriptions/Platform/"]
    /// The replacements of C libraries on Apple's platforms.
    static let appleRooms: [String: Set<String>] = ["CryptoKit": ["NewsflashSigning"]]

    let manifest: Manifest

    /// Returns the violations in the import lines of a file.
    func violations(in file: SourceFile) -> [String] {
        file.imports.compactMap { line in
            problem(with: line.module, in: file).map { "\(file.path):\(line.number): \($0)" }
        }
    }

    private func problem(with module: String, in file: SourceFile) -> String? {
        if let folder = Self.platformFolders[file.target], module == "Foundation" || module == "FoundationEssentials" {
            return file.path.hasPrefix(folder) ? nil : "imports \(module): in \(file.target) only \(folder) may"
        }
        if let room = Self.appleRooms[module], room.contains(file.target) { return nil }
        if Self.heavyModules.contains(module) {
            return "imports \(module): nobody imports more of Foundation than FoundationEssentials"
        }
        let layer = manifest.targets[file.target]?.layer
        // Targets below Tests may import any layer except C; the targets for C and their tests may.
        if let room = Self.rooms[module],
            !room.contains(where: {
                file.target == $0 || layer == nil && file.target == Manifest.folder(of: $0) + "Tests"
            })
        {
            let importer = layer == nil ? "a test" : file.target
            return "\(importer) imports \(module): only \(room.sorted().joined(separator: " and ")) may"
        }
        guard let imported = manifest.targets[module] else {
            return layer.flatMap { problem(withSystemModule: module, in: file, $0) }
        }
        if let layer, let other = imported.layer, !Self.mayImport(layer, other) {
            return
                "\(file.target) (\(layer)) imports \(module) (\(other)): a target imports only from layers below its own"
        }
        return manifest.targets[file.target]?.dependencies.contains(module) == true
            ? nil : "\(file.target) imports \(module): Package.swift does not list it as a dependency"
    }

    /// Returns the dependencies that no file imports. A program is a dependency because the target starts it.
    func unusedDependencies(of files: [SourceFile]) -> [String] {
        let imported = Dictionary(grouping: files, by: \.target).mapValues { Set($0.flatMap(\.imports).map(\.module)) }
        return imported.flatMap { target, modules in
            (manifest.targets[target]?.dependencies ?? []).subtracting(modules)
                .filter { manifest.targets[$0]?.isProgram != true }
                .map { "Package.swift: \(target) lists the dependency \($0), and does not import it" }
        }.sorted()
    }

    private static func mayImport(_ layer: String, _ other: String) -> Bool {
        guard let own = layers.firstIndex(of: layer), let imported = layers.firstIndex(of: other) else { return false }
        return imported <= own
    }

    private func problem(withSystemModule module: String, in file: SourceFile, _ layer: String) -> String? {
        guard layer == "Rules" || layer == "Base", !Self.pureModules.contains(module) else { return nil }
        if Self.systemModules.contains(module), Self.systemPaths.contains(where: { file.path.hasPrefix($0) }) {
            return nil
        }
        return "\(file.target) (\(layer)) imports \(module): Rules and Base do no I/O and know no operating system"
    }
}
