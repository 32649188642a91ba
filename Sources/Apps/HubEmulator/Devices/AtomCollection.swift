import NotificationHubs

/// A list of registrations as a client addressed it. The service repeats the address, query and all, in the id and link
/// of each entry.
package struct AtomCollection: Sendable {
    /// What the request's `Host` says.
    package var host: String
    /// The path as it was written: `/hub/registrations`, or `/hub/tags/breaking/registrations`.
    package var path: String
    /// What stands behind the question mark, as it was written; empty for nothing.
    package var query: String

    /// Makes an address.
    ///
    /// - Parameters:
    ///   - host: What the request's `Host` says.
    ///   - path: That of the list, also where one entry of it was asked for; a slash at its end is dropped.
    ///   - query: What stands behind the question mark, as it was written.
    package init(host: String, path: String, query: String) {
        self.host = host
        self.path = path.last == "/" ? String(path.dropLast()) : path
        self.query = query
    }

    // Always https: the JavaScript SDK refuses another scheme in locations, also from an emulator.
    /// The list's own address.
    package var address: String { "https://\(host)\(path)\(query.isEmpty ? "" : "?\(query)")" }

    /// The address of one entry.
    ///
    /// - Parameter id: The registration's.
    /// - Returns: With the query of the list.
    package func address(of id: String) -> String {
        "https://\(host)\(path)/\(id)\(query.isEmpty ? "" : "?\(query)")"
    }

    /// The address of the next page. All of the query is encoded anew in it, so that the token is encoded twice; clients
    /// use the header's.
    ///
    /// - Parameter token: As the header `x-ms-continuationtoken` has it: encoded once.
    /// - Returns: The list's address with the token.
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
