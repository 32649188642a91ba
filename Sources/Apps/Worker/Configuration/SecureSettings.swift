package import NewsflashRendering

/// The section `secure`: the key that worker and gateway share. It protects the tokens of events with `delivery: secure`.
package struct SecureSettings: Sendable, Equatable {
    /// The file with the key; `nil` if none is named.
    package var keyFile: String?
    /// Makes the tokens; has no key if the file cannot be used.
    package var tokens = SecureTokens()
    /// The reason why the file cannot be used, without the key. Neither worker nor gateway starts with a problem.
    package var problem: String?

    /// Makes settings without a key.
    package init() {}

    /// Makes settings with a key that does not come from a file.
    ///
    /// - Parameter key: At least ``SecureTokens/minimumKeyBytes`` bytes.
    package init(key: [UInt8]) {
        tokens = SecureTokens(key: key) ?? tokens
    }

    /// Reads the section and the key file.
    ///
    /// An unreadable file is not a problem of the configuration, because commands that send nothing work without it.
    init(_ section: ConfigurationSection) {
        keyFile = section.file("keyFile")
        guard let keyFile else { return }
        do throws(UnreadableFile) {
            if let tokens = SecureTokens(key: Array(try FileContent.word(keyFile).utf8)) {
                self.tokens = tokens
            } else {
                problem =
                    "secure.keyFile: \(keyFile) has fewer than \(SecureTokens.minimumKeyBytes) bytes; write a random key: "
                    + "openssl rand -base64 32 > \(keyFile)"
            }
        } catch {
            problem = "secure.keyFile: \(keyFile) cannot be read: \(error)"
        }
    }

    /// Reports a missing key, which a configuration with `text.secure` needs.
    func require(_ root: ConfigurationSection) {
        let section = root.section("secure")
        guard keyFile == nil, !section.isGiven("keyFile") else { return }
        section.report(
            "keyFile",
            "is missing, and text.secure needs it: name a file with a random key that worker and gateway share; "
                + "'openssl rand -base64 32' makes one"
        )
    }
}
