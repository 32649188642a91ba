import NewsflashEvents

/// The values of arguments other than the texts, which depend on the language.
///
/// An object, because a value that a closure reads is copied with all its members, and events have many.
final class PatternFacts: Sendable {
    private let category: String
    private let id: String
    private let story: String
    private let revision: String
    private let kind: String
    private let url: String
    private let image: String

    /// - Parameters:
    ///   - event: The event.
    ///   - kind: The kind as which it is sent, which is the value of `{kind}`: a correction of something that was never sent is
    ///     an alert.
    ///   - category: The value of `{category}`: the categories of one request, separated by commas.
    init(of event: borrowing NewsEvent, as kind: TextKind?, category: String = "") {
        self.category = category
        self.id = event.id
        self.story = event.story
        self.revision = String(event.revision)
        self.kind = kind?.rawValue ?? event.kind.rawValue
        self.url = event.url ?? ""
        self.image = event.image ?? ""
    }

    /// Creates the values for an event of which only the id may be sent.
    ///
    /// - Parameter id: The event's id.
    init(id: String) {
        self.category = ""
        self.id = id
        self.story = ""
        self.revision = ""
        self.kind = ""
        self.url = ""
        self.image = ""
    }

    fileprivate func value(of field: PatternArgument.Field) -> String {
        switch field {
        case .headline, .summary: ""
        case .category: category
        case .id: id
        case .story: story
        case .revision: revision
        case .kind: kind
        case .url: url
        case .image: image
        }
    }
}

extension PatternFacts? {
    /// The value of an argument; empty for texts and for absent members.
    func value(of argument: PatternArgument) -> String { self?.value(of: argument.field) ?? "" }
}
