import FoundationEssentials

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A folder for one test. It is removed with its content when this object is deinitialized.
package final class TemporaryFolder: Sendable {
    /// The path of the folder.
    package let path: String

    /// Makes an empty folder.
    ///
    /// - Throws: The error of the system.
    package init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "newsflash-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Returns the path of a file in the folder, without creating it.
    ///
    /// - Parameter name: The file's name without a folder.
    /// - Returns: The whole path.
    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file in the folder that only this user may read, and replaces an existing one.
    ///
    /// - Parameters:
    ///   - text: Its content.
    ///   - name: The file's name without a folder.
    /// - Returns: The whole path.
    /// - Throws: ``ChildProcess/Failure`` if it cannot be written.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        // The file is renamed when it is complete, so that nobody reads a part of it.
        let new = file(".\(name)-\(UUID().uuidString)")
        let isWritten = FileManager.default.createFile(
            atPath: new,
            contents: Data(text.utf8),
            attributes: [.posixPermissions: 0o600]
        )
        guard isWritten else { throw ChildProcess.Failure(description: "\(new) cannot be written") }
        guard rename(new, file(name)) == 0 else {
            throw ChildProcess.Failure(description: "\(file(name)) cannot be replaced")
        }
        return file(name)
    }
}
