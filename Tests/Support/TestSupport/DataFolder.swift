import FoundationEssentials

/// A folder with files that tests read.
package struct DataFolder: Sendable {
    /// The path of the folder.
    package let path: String

    /// Returns the path of the checkout that contains a file of a support target.
    ///
    /// - Parameter file: Its `#filePath`.
    /// - Returns: The path without a slash at its end.
    static func checkout(of file: String) -> String {
        file.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
    }

    /// Whether a file or a folder exists.
    func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(path)/\(name)") }

    func bytes(of name: String) throws -> [UInt8] {
        let file = "\(path)/\(name)"
        // Swift 6.3's Foundation leaks a page when it reads a file without content.
        if isEmpty(file) { return [] }
        guard let data = FileManager.default.contents(atPath: file) else { throw DataFolderError(file: file) }
        return Array(data)
    }

    func lines(of name: String) throws -> [[UInt8]] {
        try bytes(of: name).split(separator: 0x0A).map { Array($0) }
    }

    func names(in name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(name)").sorted()
    }

    private func isEmpty(_ file: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file)
        // Compared as text, because the number has another type if all of Foundation is loaded.
        return attributes?[.size].map { "\($0)" } == "0"
    }
}

/// A file that cannot be read.
package struct DataFolderError: Error, CustomStringConvertible {
    let file: String

    /// A text that names the file.
    package var description: String { "\(file) cannot be read" }
}
