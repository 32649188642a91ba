import NotificationHubs

/// Numbers for tags, so that a million registrations hold a few bytes for each of theirs.
///
/// Spellings keep their case; whether two tags are the same ignores it, as the sets of the .NET SDK do.
struct TagTable {
    /// A spelling of a tag.
    typealias Spelling = UInt32
    /// A tag whatever the case of its letters.
    typealias Folded = UInt32

    private var spellings: [Tag: Spelling] = [:]
    private var tags: [(tag: Tag, folded: Folded)] = []
    private var foldedByText: [String: Folded] = [:]

    /// How many tags there are whatever their case.
    var foldedCount: Int { foldedByText.count }

    /// The number of a tag, a new one where it has none yet.
    mutating func spelling(of tag: Tag) -> Spelling {
        if let known = spellings[tag] { return known }
        let text = tag.description.lowercased()
        let folded = foldedByText[text] ?? Folded(foldedByText.count)
        foldedByText[text] = folded
        let new = Spelling(tags.count)
        tags.append((tag, folded))
        spellings[tag] = new
        return new
    }

    func tag(_ spelling: Spelling) -> Tag { tags[Int(spelling)].tag }

    func folded(_ spelling: Spelling) -> Folded { tags[Int(spelling)].folded }

    /// The number of a tag that someone has or had; nothing for one that nobody ever had.
    func folded(_ tag: Tag) -> Folded? {
        if let spelling = spellings[tag] { return folded(spelling) }
        return foldedByText[tag.description.lowercased()]
    }
}
