import NotificationHubs

/// A list of registrations as addressed by a client. The service repeats the address with its query in the id and link of each
/// entry.
package struct AtomCollection: Sendable {
    /// The value of the `Host` header.
    package var host: String
    /// The path as sent: `/hub/registrations`, or `/hub/tags/breaking/registrations`.
    package var path: String
    /// The query as sent, without the question mark; empty if there is none.
    package var query: String

    /// Creates an address.
    ///
    /// - Parameters:
    ///   - host: The value of the `Host` header.
    ///   - path: The path of the list, also if a single entry is requested; a trailing slash is dropped.
    ///   - query: The query as sent, without the question mark.
    package init(host: String, path: String, query: String) {
        self.host = host
        self.path = path.last == "/" ? String(path.dropLast()) : path
        self.query = query
    }

    // Always https: the JavaScript SDK rejects any other scheme in locations, even from an emulator.
    /// The URL of the list.
    package var address: String { "https://\(host)\(path)\(query.isEmpty ? "" : "?\(query)")" }

    /// Returns the URL of one entry.
    ///
    /// - Parameter id: The id of the registration.
    /// - Returns: The URL, with the query of the list.
    package func address(of id: String) -> String {
        "https://\(host)\(path)/\(id)\(query.isEmpty ? "" : "?\(query)")"
    }

    /// Returns the URL of the next page. The whole query is encoded again, so the token is encoded twice; clients use the
    /// header instead.
    ///
    /// - Parameter token: The token as in the header `x-ms-continuationtoken`, percent-encoded once.
    /// - Returns: The URL of the list with the token.
    package func next(_ token: String) -> String {
        var pairs = query.split(separator: "&").map { pair in
            pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(Self.encodedAnew)
        }
        pairs.removeAll { $0.first?.lowercased() == "continuationtoken" }
        pairs.append(["continuationtoken", PercentEncoding.encode(token)])
        return "https://\(host)\(path)?" + pairs.map { $0.joined(separator: "=") }.joined(separator: "&")
    }

    private static func encodedAnew(_ part: Substring) -> String {
        let blanks = part.replacing("+", with: " ")
        return PercentEncoding.encode(PercentEncoding.decode(blanks) ?? String(blanks))
    }
}
