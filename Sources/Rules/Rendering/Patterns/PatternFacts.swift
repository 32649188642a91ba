import NewsEvents

/// What the arguments of patterns stand for beside the texts, which depend on the language.
///
/// An object, since what a closure reads of a value is copied with all its members, and events have many.
final class PatternFacts: Sendable {
    private let category: String
    private let id: String
    private let story: String
    private let revision: String
    private let kind: String
    private let url: String
    private let image: String

    /// - Parameters:
    ///   - event: What happened.
    ///   - kind: As which it is sent, which `{kind}` stands for: a correction of something that was never sent is an alert.
    ///   - category: The text for `{category}`: the categories of one request, with commas.
    init(of event: borrowing NewsEvent, as kind: TextKind?, category: String = "") {
        self.category = category
        self.id = event.id
        self.story = event.story
        self.revision = String(event.revision)
        self.kind = kind?.rawValue ?? event.kind.rawValue
        self.url = event.url ?? ""
        self.image = event.image ?? ""
    }

    /// Those of an event of which nothing is told but its id.
    ///
    /// - Parameter id: The event's.
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
    /// What an argument stands for; empty for the texts and for what is absent.
    func value(of argument: PatternArgument) -> String { self?.value(of: argument.field) ?? "" }
}
