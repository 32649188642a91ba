import ASCII

/// The places of a record that may contain its instruction or its story.
struct RecordPlaces {
    /// The places inside members, by the members' names in lower case; `*` for each element.
    private var inner: [String: RecordPlaces] = [:]
    /// Whether everything inside is read.
    private(set) var hasAll = false
    /// Whether a text there can name a story, so that its whole length is kept.
    private(set) var isName = false

    /// Adds a place.
    ///
    /// - Parameters:
    ///   - steps: The names of members on the path, and `*` for each element.
    ///   - isName: Whether a text there can name a story.
    mutating func add(_ steps: some Collection<String>, isName: Bool = false) {
        guard let step = steps.first else {
            hasAll = true
            self.isName = self.isName || isName
            return
        }
        inner[step.lowercasedASCII, default: RecordPlaces()].add(steps.dropFirst(), isName: isName)
    }

    /// Adds the places of another record that this one may contain.
    mutating func add(_ other: RecordPlaces) {
        hasAll = hasAll || other.hasAll
        isName = isName || other.isName
        for (step, places) in other.inner { inner[step, default: RecordPlaces()].add(places) }
    }

    /// Whether some members inside are read and others are not.
    var isSelective: Bool { !inner.isEmpty }

    /// The places inside a member or element; `nil` if nothing inside is read.
    subscript(name: String) -> RecordPlaces? {
        if let places = inner[name.lowercasedASCII] ?? inner["*"] { return places }
        let isRead =
            hasAll || inner["headline"] != nil && (Self.isHeadline(name) || FeedPlaces.isEmbargo(name.lowercasedASCII))
        guard isRead else { return nil }
        var all = RecordPlaces()
        all.hasAll = true
        all.isName = isName
        return all
    }

    /// Whether a member may contain a headline; the tags of a headline may be in any of several such members.
    private static func isHeadline(_ name: String) -> Bool {
        let name = name.lowercasedASCII
        return name.hasPrefix("headline") || name.hasPrefix("description")
    }
}
