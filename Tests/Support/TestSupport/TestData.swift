/// The sample data of the package, in `Tests/Data` of the checkout: events, malformed inputs, adapters' files, configurations.
///
/// Every clone contains them, so tests read them without a condition.
package enum TestData {
    /// The folder.
    package static let folder = DataFolder(path: DataFolder.checkout(of: #filePath) + "/Tests/Data")

    /// Reads a file whole.
    ///
    /// - Parameter path: The path in the folder, such as `events.ndjson`.
    /// - Returns: The bytes.
    /// - Throws: ``DataFolderError`` if the file is missing.
    package static func bytes(of path: String) throws -> [UInt8] { try folder.bytes(of: path) }

    /// Reads the records of a file that has one per line.
    ///
    /// - Parameter path: The path in the folder, such as `events.ndjson`.
    /// - Returns: The lines without their ends, split at byte 0A only, without empty ones.
    /// - Throws: ``DataFolderError`` if the file is missing.
    package static func lines(of path: String) throws -> [[UInt8]] { try folder.lines(of: path) }

    /// Lists the data files in a folder.
    ///
    /// - Parameter path: The path in the data folder, such as `adapters`.
    /// - Returns: Names without the folder, sorted, without `README.md`.
    /// - Throws: The error of the system if the folder is missing.
    package static func names(in path: String) throws -> [String] {
        try folder.names(in: path).filter { $0 != "README.md" }
    }
}
