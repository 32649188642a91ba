extension HubRecording {
    /// The answers of all sessions of the .NET SDK's tests.
    ///
    /// - Returns: In the order of the files' names, and within a file of the calls.
    /// - Throws: Where a file is not of the form.
    package static func allDotnet() throws -> [HubRecording] {
        try HubSession.names.filter { $0.hasPrefix("dotnet/") }.flatMap { try HubSession(named: $0).calls }
    }

    /// The documents of XML elements that lie in the content of Atom entries, one for each entry of all answers.
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
