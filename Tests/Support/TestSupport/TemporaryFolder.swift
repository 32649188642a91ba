import FoundationEssentials

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

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

    /// Writes a file in it that only we may read, in the place of one that is there.
    ///
    /// - Parameters:
    ///   - text: Its content.
    ///   - name: Without a folder.
    /// - Returns: The whole path.
    /// - Throws: ``ChildProcess/Failure`` if it cannot be written.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        // Renamed when it is whole, so that nobody reads a part of it.
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
