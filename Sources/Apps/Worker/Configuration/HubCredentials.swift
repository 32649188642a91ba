package import NotificationHubs

/// Where a hub's connection string comes from; never the configuration file itself.
package enum HubCredentials: Sendable, Equatable {
    /// A file that holds nothing else, such as a mounted secret. It is read again when the hub says 401.
    case file(String)
    /// A variable of the environment, by name, with the value it had at the start.
    case variable(String, value: String)

    /// Reads the connection string.
    ///
    /// - Returns: What the hub's client needs.
    /// - Throws: ``HubCredentialsError`` that names the file or the variable and never its content.
    package func read() throws(HubCredentialsError) -> HubConnectionString {
        let text: String
        let source = description
        switch self {
        case .file(let path):
            do {
                text = try FileContent.word(path)
            } catch {
                throw HubCredentialsError("\(source): cannot be read: \(error)")
            }
        case .variable(_, let value):
            text = value
        }
        let trimmed = text.trimmingWhiteSpace
        do {
            return try HubConnectionString(trimmed)
        } catch {
            throw HubCredentialsError("\(source): \(error)")
        }
    }
}

extension HubConnectionString {
    /// Returns the address of a hub for the ledger: endpoint and name, without the usual port.
    package func address(ofHub name: String) -> String {
        let usualPort = endpoint.scheme == .https ? 443 : 80
        return "\(endpoint.port == usualPort ? endpoint.host : endpoint.authority)/\(name)"
    }
}

extension HubCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Where the secret is, never the secret.
    package var description: String {
        switch self {
        case .file(let path): "file \(path)"
        case .variable(let name, _): "variable \(name)"
        }
    }

    /// The same as the description.
    package var debugDescription: String { description }

    /// Without children, so that a dump does not show the secret.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Why a hub's secrets cannot be used.
package struct HubCredentialsError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Names the source and the remedy; holds no secret.
    package var description: String

    init(_ description: String) {
        self.description = description
    }
}

extension String {
    /// Without white space and line ends around it, as editors and `echo` leave them.
    var trimmingWhiteSpace: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
