package import Signing

/// The users of a gateway: a line each with name and hash, `anna:$scrypt$…`; lines that begin with `#` are remarks.
package struct UserFile: Sendable, Equatable {
    /// The most bytes of a file.
    package static let maximumBytes = 16 << 20

    /// By name, in lower case.
    package private(set) var hashes: [String: PasswordHash] = [:]

    /// Makes a file without users.
    package init() {}

    /// Reads a file.
    ///
    /// - Parameter bytes: Its content.
    /// - Throws: ``UserFileError`` with the number of the first line that cannot be read; it repeats no hash.
    package init(_ bytes: [UInt8]) throws(UserFileError) {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw UserFileError("it is not UTF-8") }
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.last == "\r" ? line.dropLast() : line
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            guard let colon = line.firstIndex(of: ":"), let user = GatewayUser(String(line[..<colon])) else {
                throw UserFileError("line \(index + 1) does not begin with a user's name and a colon")
            }
            guard let hash = PasswordHash(line[line.index(after: colon)...]) else {
                throw UserFileError("line \(index + 1) has no hash that is read here: set the password anew")
            }
            // Case does not count in a name.
            guard hashes.updateValue(hash, forKey: user.name) == nil else {
                throw UserFileError("line \(index + 1) has the name of another line, but for its case at most")
            }
        }
    }

    /// Adds a user, or gives one another password.
    ///
    /// - Parameters:
    ///   - user: The name.
    ///   - hash: Of the password; `nil` removes the user.
    package mutating func set(_ user: GatewayUser, _ hash: PasswordHash?) {
        hashes[user.name] = hash
    }

    /// The content, in the order of the names.
    package var bytes: [UInt8] {
        var text = "# Users of 'newsflash gateway': a name and the hash of a password. Let nobody else read it.\n"
        for (name, hash) in hashes.sorted(by: { $0.key < $1.key }) { text += "\(name):\(hash.text)\n" }
        return Array(text.utf8)
    }
}

/// Why a file of users cannot be used.
package struct UserFileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong and what to do, without the file's name; never a hash.
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
