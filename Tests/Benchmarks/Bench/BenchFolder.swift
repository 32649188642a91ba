import FoundationEssentials
import NewsflashCommands
import NewsflashOperations

/// The temporary folder of one run.
struct BenchFolder: Sendable {
    let path = FileManager.default.temporaryDirectory.path + "/newsflash-bench-\(UUID().uuidString)"

    /// Creates the folder.
    ///
    /// - Throws: ``OperationError`` if that fails.
    init() throws {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw OperationError(.unavailable, "\(path) cannot be created: \(error)")
        }
    }

    /// Removes the folder with its contents.
    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
