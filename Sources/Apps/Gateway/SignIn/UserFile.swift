package import Signing

/// The users of a gateway: one line each with name and hash, `anna:$scrypt$…`; lines that begin with `#` are comments.
package struct UserFile: Sendable, Equatable {
    /// The maximum size of a file in bytes.
    package static let maximumBytes = 16 << 20

    /// The hashes by name, in lower case.
    package private(set) var hashes: [String: PasswordHash] = [:]

    /// Creates a file without users.
    package init() {}

    /// Parses the content of a file.
    ///
    /// - Parameter bytes: The content.
    /// - Throws: ``UserFileError`` with the number of the first invalid line; it contains no hash.
    package init(_ bytes: [UInt8]) throws(UserFileError) {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw UserFileError("it is not UTF-8") }
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.last == "\r" ? line.dropLast() : line
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            guard let colon = line.firstIndex(of: ":"), let user = GatewayUser(String(line[..<colon])) else {
                throw UserFileError("line \(index + 1) does not begin with a user's name and a colon")
            }
            guard let hash = PasswordHash(line[line.index(after: colon)...]) else {
                throw UserFileError("line \(index + 1) has no valid hash: set the password again")
            }
            // Names ignore case.
            guard hashes.updateValue(hash, forKey: user.name) == nil else {
                throw UserFileError("line \(index + 1) repeats the name of another line; names ignore case")
            }
        }
    }

    /// Adds, changes or removes a user.
    ///
    /// - Parameters:
    ///   - user: The user's name.
    ///   - hash: The hash of the password; `nil` removes the user.
    package mutating func set(_ user: GatewayUser, _ hash: PasswordHash?) {
        hashes[user.name] = hash
    }

    /// The content, sorted by name.
    package var bytes: [UInt8] {
        var text = "# Users of 'newsflash gateway': a name and the hash of a password. Let nobody else read it.\n"
        for (name, hash) in hashes.sorted(by: { $0.key < $1.key }) { text += "\(name):\(hash.text)\n" }
        return Array(text.utf8)
    }
}

/// The reason why a users file cannot be used.
package struct UserFileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The fault and the remedy; contains neither the path nor a hash.
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
