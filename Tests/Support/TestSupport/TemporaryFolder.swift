import FoundationEssentials

/// A folder of its own for one test; removed with all that lies in it when the value goes.
package final class TemporaryFolder: Sendable {
    /// Where it is.
    package let path: String

    /// Makes an empty folder.
    ///
    /// - Throws: What the system says.
    package init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "newsflash-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a file in it, which is not made.
    ///
    /// - Parameter name: Without a folder.
    /// - Returns: The whole path.
    package func file(_ name: String) -> String { "\(path)/\(name)" }
}
