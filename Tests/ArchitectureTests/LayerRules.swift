/// The imports that a target may have. The folder is the layer; a layer may import those before it.
struct LayerRules {
    /// The layers from the bottom up.
    static let layers = ["C", "Base", "Rules", "Adapters", "Apps", "Main"]

    /// The imports inside a layer; all others are forbidden.
    static let arrows: [String: Set<String>] = [
        "StrictJSON": ["ASCII"],
        "HTTPTransport": ["ASCII", "Locks", "Timestamps"],
        "HTTP1": ["ASCII", "HTTPTransport"],
        "StrictXML": ["XMLText"],
        "StructuredLog": ["Locks", "StrictJSON", "Threads", "Timestamps"],
        "OpenMetrics": ["Locks"],
        "TimeZones": ["ASCII", "Timestamps"],
        "NewsEvents": [],
        "NotificationHubs": ["NotificationHubsCore"],
        "NewsSubscriptions": ["NotificationHubsCore"],
        "Routing": ["NewsEvents", "NotificationHubs"],
        "Rendering": ["NewsEvents"],
        "Publishing": ["NewsEvents", "NotificationHubs", "Rendering", "Routing"],
        "Planning": ["NewsEvents", "NotificationHubs", "Publishing", "Rendering", "Routing"],
        "KafkaMock": ["Kafka"],
        "Gateway": ["Worker"],
        "newsflash": ["Commands"],
    ]

    /// The only targets that import a C library.
    static let rooms: [String: Set<String>] = [
        "CRDKafka": ["Kafka", "KafkaMock"],
        "CCurl": ["CurlTransport"],
        "CMicroHTTPD": ["HTTPServer"],
        "CYAML": ["YAML"],
        "CCrypto": ["Certificates", "JWT", "Signing"],
        "CExpat": ["StrictXML"],
        "CSQLite": ["SQLite"],
        "CJWT": ["JWT"],
        // The measuring code of the bench must not be an adapter that it measures.
        "CBench": ["Bench"],
        "CMalloc": ["Commands"],
    ]

    /// The modules of the toolchain without I/O; Rules and Base may import no others besides our own.
    static let pureModules: Set<String> = ["FoundationEssentials", "Swift", "Synchronization"]
    /// The targets of Base that need the system: its clock, mutex, threads, `write` and `exit`.
    static let systemTargets: Set<String> = ["CommandLineArguments", "Locks", "StructuredLog", "Threads", "Timestamps"]
    static let systemModules: Set<String> = ["Glibc", "Darwin"]
    /// Foundation, and its parts that add tens of megabytes.
    static let heavyModules: Set<String> = ["Foundation", "FoundationNetworking", "FoundationInternationalization"]
    /// The folder in a target of Rules that uses the system, for app libraries on phones, where `FoundationEssentials`
    /// is part of `Foundation`. `.ci/check-subscriptions` shows that nothing of it is linked here.
    static let platformFolders = ["NewsSubscriptions": "Sources/Rules/NewsSubscriptions/Platform/"]
    /// The replacements of C libraries on Apple's platforms.
    static let appleRooms: [String: Set<String>] = ["CryptoKit": ["Signing"]]

    /// The layer of each of our targets.
    let layerOfTarget: [String: String]

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
        // Targets below Tests may import everything except C; the targets for C and their tests may.
        guard let target = layerOfTarget[file.target] else {
            return Self.rooms[module].flatMap { room in
                room.contains { file.target == $0 || file.target == $0 + "Tests" }
                    ? nil : "a test imports \(module): only \(room.sorted().joined(separator: " and ")) may"
            }
        }
        if let room = Self.rooms[module] {
            return room.contains(file.target)
                ? nil : "\(file.target) imports \(module): only \(room.sorted().joined(separator: " and ")) may"
        }
        guard let imported = layerOfTarget[module] else {
            return problem(withSystemModule: module, in: file.target, target)
        }
        return problem(from: file.target, target, to: module, imported)
    }

    private func problem(from target: String, _ layer: String, to module: String, _ other: String) -> String? {
        guard layer != other else {
            return Self.arrows[target]?.contains(module) == true
                ? nil
                : "\(target) imports \(module), both in \(layer): the arrow is not in LayerRules.arrows"
        }
        guard let own = Self.layers.firstIndex(of: layer), let below = Self.layers.firstIndex(of: other), below < own
        else {
            return "\(target) (\(layer)) imports \(module) (\(other)): a target imports only from layers below its own"
        }
        return nil
    }

    private func problem(withSystemModule module: String, in target: String, _ layer: String) -> String? {
        guard layer == "Rules" || layer == "Base", !Self.pureModules.contains(module) else { return nil }
        if layer == "Base", Self.systemModules.contains(module), Self.systemTargets.contains(target) { return nil }
        return "\(target) (\(layer)) imports \(module): Rules and Base do no I/O and know no operating system"
    }
}
