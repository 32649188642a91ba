import FoundationEssentials

/// A folder with the few time zones that the tests need.
package struct TimeZoneFolder {
    private let folder: TemporaryFolder

    /// Makes the folder.
    ///
    /// - Throws: If a file cannot be written.
    package init() throws {
        folder = try TemporaryFolder()
        try write("Europe/Prague", ZoneFile.bytes(rule: "CET-1CEST,M3.5.0,M10.5.0/3"))
        try write("Asia/Kolkata", ZoneFile.bytes(rule: "IST-5:30"))
        try write("Europe/Paris", ZoneFile.bytes(rule: "CET-1CEST,M3.5.0,M10.5.0/3"))
        try write("Europe/London", ZoneFile.bytes(rule: "GMT0BST,M3.5.0/1,M10.5.0"))
        try write("tab", Array("# no zone".utf8))
    }

    package var path: String { folder.path }

    /// The environment that names the folder.
    package var environment: [String: String] { ["TZDIR": folder.path] }

    /// Adds a time zone.
    package func write(_ name: String, _ bytes: [UInt8]) throws {
        let file = folder.file(name)
        let parent = file.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: file))
    }
}
