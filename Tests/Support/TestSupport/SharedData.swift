/// Third-party data that are not part of the package: documents of IPTC, and recorded sessions of the real hub.
///
/// Tests that read them have a trait such as `.needsMediaTopics`, which skips them if the files are missing.
package enum SharedData {
    /// The folder that `NEWSFLASH_SHARED` names, otherwise `shared` next to the checkout; `nil` if it has no folder
    /// `data`.
    package static let folder: DataFolder? = {
        let besides = DataFolder.checkout(of: #filePath).split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        let folder = DataFolder(path: variable("NEWSFLASH_SHARED") ?? besides + "/shared")
        return folder.has("data") ? folder : nil
    }()

    /// Looks for a file or a folder.
    ///
    /// - Parameter path: The path in the folder, such as `data/mediatopics/medtop-to-six.csv`.
    /// - Returns: Whether it exists.
    package static func has(_ path: String) -> Bool { folder?.has(path) ?? false }

    /// Reads a file whole.
    ///
    /// - Parameter path: The path in the folder, such as `data/mediatopics/medtop-to-six.csv`.
    /// - Returns: The bytes.
    /// - Throws: ``DataFolderError`` if the folder or the file is missing.
    package static func bytes(of path: String) throws -> [UInt8] {
        guard let folder else { throw DataFolderError(file: path) }
        return try folder.bytes(of: path)
    }

    /// Reads the lines of a file.
    ///
    /// - Parameter path: The path in the folder, such as `data/mediatopics/medtop-to-six.csv`.
    /// - Returns: The lines without their ends, split at byte 0A only, without empty ones.
    /// - Throws: ``DataFolderError`` if the folder or the file is missing.
    package static func lines(of path: String) throws -> [[UInt8]] {
        guard let folder else { throw DataFolderError(file: path) }
        return try folder.lines(of: path)
    }
}
