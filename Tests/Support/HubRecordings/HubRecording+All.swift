extension HubRecording {
    /// The answers of all sessions of the .NET SDK's tests.
    ///
    /// - Returns: The answers in the order of the file names, and of the calls within a file.
    /// - Throws: ``HubSessionError`` if a file has another form.
    package static func allDotnet() throws -> [HubRecording] {
        try HubSession.names.filter { $0.hasPrefix("dotnet/") }.flatMap { try HubSession(named: $0).calls }
    }

    /// The XML documents in the content of Atom entries.
    ///
    /// - Parameter body: An Atom entry or feed.
    /// - Returns: The text between the tags of each `content`.
    package static func contents(of body: String) -> [String] {
        body.components(between: "<content type=\"application/xml\">", and: "</content>")
    }
}

extension String {
    fileprivate func components(between start: String, and end: String) -> [String] {
        var parts: [String] = []
        var rest = self[...]
        while let opening = rest.firstRange(of: start) {
            rest = rest[opening.upperBound...]
            guard let closing = rest.firstRange(of: end) else { break }
            parts.append(String(rest[..<closing.lowerBound]))
            rest = rest[closing.upperBound...]
        }
        return parts
    }
}
