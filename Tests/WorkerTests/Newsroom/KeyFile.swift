import FoundationEssentials

/// A file with a hub's connection string, as a mounted secret would be; removed with this object.
final class KeyFile: Sendable {
    let path: String

    /// Makes a file.
    ///
    /// - Parameter text: The connection string.
    /// - Throws: Where the file cannot be written.
    init(_ text: String) throws {
        path = FileManager.default.temporaryDirectory.path + "/newsflash-key-\(UUID().uuidString)"
        try write(text)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Puts another text in place at once, as those who mount secrets do.
    func write(_ text: String) throws {
        try Data((text + "\n").utf8).write(to: URL(filePath: path), options: .atomic)
    }
}
