import FoundationEssentials

/// Sample data that lies outside the package: events, malformed inputs, recordings.
///
/// Tests that read it say so: `.enabled(if: SharedData.isPresent)`.
package enum SharedData {
    /// The folder: what `NEWSFLASH_SHARED` names, else `shared` beside the checkout; nothing where there is none.
    package static let folder: String? = {
        if let named = ProcessInfo.processInfo.environment["NEWSFLASH_SHARED"], !named.isEmpty {
            return existing(named)
        }
        let packageRoot = steps(up: 4, from: #filePath)
        return existing(steps(up: 1, from: packageRoot) + "/shared")
    }()

    /// Whether there is such a folder.
    package static var isPresent: Bool { folder != nil }

    /// Reads a file whole.
    ///
    /// - Parameter path: From the folder, such as `data/events.ndjson`.
    /// - Returns: The bytes.
    /// - Throws: Where the folder or the file is missing.
    package static func bytes(of path: String) throws -> [UInt8] {
        guard let folder else { throw SharedDataError(path: path) }
        let file = "\(folder)/\(path)"
        // Swift 6.3's Foundation leaks a page when it reads a file without content.
        if isEmpty(file) { return [] }
        guard let data = FileManager.default.contents(atPath: file) else { throw SharedDataError(path: path) }
        return Array(data)
    }

    /// Reads the records of a file that has one a line, split at byte 0A only; empty lines are left out.
    ///
    /// - Parameter path: From the folder, such as `data/events.ndjson`.
    /// - Returns: The lines without their ends.
    /// - Throws: Where the folder or the file is missing.
    package static func lines(of path: String) throws -> [[UInt8]] {
        try bytes(of: path).split(separator: 0x0A).map { Array($0) }
    }

    /// Lists the names in a folder, sorted.
    ///
    /// - Parameter path: From the shared folder, such as `data/malformed`.
    /// - Returns: Names without the folder.
    /// - Throws: Where the folder is missing.
    package static func names(in path: String) throws -> [String] {
        guard let folder else { throw SharedDataError(path: path) }
        return try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(path)").sorted()
    }

    private static func isEmpty(_ file: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file)
        // As text, because the number's type is another where all of Foundation is loaded.
        return attributes?[.size].map { "\($0)" } == "0"
    }

    private static func existing(_ path: String) -> String? {
        FileManager.default.fileExists(atPath: "\(path)/data") ? path : nil
    }

    private static func steps(up count: Int, from path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).dropLast(count).joined(separator: "/")
    }
}

/// A shared file that could not be read.
package struct SharedDataError: Error, CustomStringConvertible {
    let path: String

    /// Names the file and the remedy.
    package var description: String { "no shared file \(path); set NEWSFLASH_SHARED to the folder that holds data/" }
}
