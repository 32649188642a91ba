package import NotificationHubs

/// The source of a hub's connection string; never the configuration file itself.
package enum HubCredentials: Sendable, Equatable {
    /// A file that contains nothing else, such as a mounted secret. It is read again when the hub responds with 401.
    case file(String)
    /// The name of an environment variable, with its value at the start.
    case variable(String, value: String)

    /// Reads the connection string.
    ///
    /// - Returns: The connection string for the hub's client.
    /// - Throws: ``HubCredentialsError`` that names the file or the variable, never its content.
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
    /// Returns the hub's address as the ledger stores it: endpoint and name, without the default port.
    package func address(ofHub name: String) -> String {
        let usualPort = endpoint.scheme == .https ? 443 : 80
        return "\(endpoint.port == usualPort ? endpoint.host : endpoint.authority)/\(name)"
    }
}

extension HubCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The location of the secret, never the secret.
    package var description: String {
        switch self {
        case .file(let path): "file \(path)"
        case .variable(let name, _): "variable \(name)"
        }
    }

    /// The same as the description.
    package var debugDescription: String { description }

    /// Empty, so that a dump does not show the secret.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The reason why a hub's connection string cannot be used.
package struct HubCredentialsError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The source and the remedy, never the secret.
    package var description: String

    init(_ description: String) {
        self.description = description
    }
}

extension String {
    /// The text without surrounding white space and line breaks, which editors and `echo` leave.
    var trimmingWhiteSpace: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
