/// An instruction in the words of an item, and its place.
struct NotedOrder {
    let act: EditorialNotes.Act
    /// See ``EditorialNotes/Order/phrase``.
    let phrase: String
    /// A JSON Pointer or a name: printable ASCII, at most 64 bytes.
    let place: String

    init(_ order: EditorialNotes.Order, at place: String) {
        act = order.act
        phrase = order.phrase
        self.place = place.printable(limit: 64)
    }

    /// The warning for people: the place, the words of the lexicon and the effect, but nothing else of the item.
    var warning: EventWarning {
        let effect =
            switch act {
            case .kill: "withdraws the story, by notes.kill of the source"
            case .hold: "holds the story"
            case .embargo: "is an embargo whose time is not read; it holds the story"
            case .correction: "makes it a correction"
            }
        return .order(self.act, "\(place): '\(phrase)' \(effect)")
    }
}

extension [NotedOrder] {
    /// The strictest instruction.
    ///
    /// - Parameter hasEmbargo: Whether the item has its own embargo, so that one in words does not count.
    /// - Returns: `nil` if no instruction counts.
    func strictest(hasEmbargo: Bool) -> NotedOrder? {
        for act in EditorialNotes.Act.allCases where act != .embargo || !hasEmbargo {
            if let order = first(where: { $0.act == act }) { return order }
        }
        return nil
    }
}
