import FoundationEssentials

/// A file with a key or a password, like a mounted secret. It is removed with this object.
package final class KeyFile: Sendable {
    private let folder: TemporaryFolder

    /// Its path.
    package var path: String { folder.file("key") }

    /// Makes a file.
    ///
    /// - Parameter text: The key.
    /// - Throws: If the file cannot be written.
    package init(_ text: String) throws {
        folder = try TemporaryFolder()
        try write(text)
    }

    /// Replaces the text atomically, like a mounted secret.
    package func write(_ text: String) throws {
        try folder.write(text + "\n", to: "key")
    }
}
