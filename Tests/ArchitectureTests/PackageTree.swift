import FoundationEssentials

/// The package on disk.
struct PackageTree {
    /// The checkout of this file.
    static let here = PackageTree(
        root: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
    )

    let root: URL

    /// Returns the names in a folder except hidden files.
    func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
            .filter { !$0.hasPrefix(".") }.sorted()
    }

    /// Returns the folders in a folder.
    func folders(in folder: String) throws -> [String] {
        try names(in: folder).filter { isFolder(folder + "/" + $0) }
    }

    func text(of path: String) throws -> String {
        String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
    }

    /// Returns the folders of targets: `Sources/Rules/Routing`, `Tests/RoutingTests`, `Tests/Support/TestSupport`.
    func targetFolders() throws -> [String] {
        let sources = try folders(in: "Sources").flatMap { layer in
            try folders(in: "Sources/\(layer)").map { "Sources/\(layer)/\($0)" }
        }
        // A folder with its own manifest is another package. `Data` has files that tests read.
        let groups = ["Benchmarks", "Support"]
        let tests = try folders(in: "Tests").filter { !(groups + ["Data"]).contains($0) }.map { "Tests/\($0)" }
            .filter { try !names(in: $0).contains("Package.swift") }
        let grouped = try groups.flatMap { group in
            try folders(in: "Tests/\(group)").map { "Tests/\(group)/\($0)" }
        }
        return sources + tests + grouped
    }

    /// The Swift files of this checkout, read once for all tests: it takes two seconds.
    private static let sourceFiles = Result { try here.readSourceFiles() }

    /// Returns every Swift file of every target of this checkout.
    func sourceFiles() throws -> [SourceFile] { try Self.sourceFiles.get() }

    private func readSourceFiles() throws -> [SourceFile] {
        let manifest = try manifest()
        return try targetFolders().flatMap { folder in
            let target = manifest.name(ofPath: folder) ?? folder
            return try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
                .filter { $0.hasSuffix(".swift") }.sorted()
                .map { SourceFile(path: "\(folder)/\($0)", target: target, text: try text(of: "\(folder)/\($0)")) }
        }
    }

    func manifest() throws -> Manifest { Manifest(try text(of: "Package.swift")) }

    /// Returns whether a file or folder exists at a path from the root.
    func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    private func isFolder(_ path: String) -> Bool {
        var isDirectory = false
        return FileManager.default.fileExists(atPath: root.appending(path: path).path, isDirectory: &isDirectory)
            && isDirectory
    }
}
