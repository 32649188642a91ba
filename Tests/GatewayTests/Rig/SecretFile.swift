import FoundationEssentials

/// A small file with a secret.
enum SecretFile {
    static func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
    }
}
