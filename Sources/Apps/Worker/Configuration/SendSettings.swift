import NewsEvents
import NotificationHubs
import Rendering
import Routing

/// What `send` says: the form and the tags of hubs that have none of their own, and what every send carries.
struct SendSettings {
    /// `nil` where a problem was reported.
    let forms: [SendForm]?
    /// `nil` where a problem was reported.
    let audiences: AudiencePlanner?
    /// `nil` where a problem was reported.
    let users: UserPlanner?
    private let maximumTags: Int
    let properties: [(name: String, pattern: String)]

    /// Reads `send`.
    ///
    /// - Parameter section: The section.
    init(_ section: ConfigurationSection) {
        forms = section.isGiven("as") ? section.sendForms() : [.template]
        maximumTags =
            section.integer("maximumTags", in: 1...TagExpression.maximumTagsWithOrOnly)
            ?? TagExpression.maximumTagsWithOrOnly
        audiences = section.audiences(section.text("tags") ?? "{category}", maximumTags: maximumTags)
        let users = section.text("users") ?? "username:{user}"
        let pattern = section.context.reporting { () throws(RuleProblem) in try UserPattern(users) }
        self.users = pattern.map { [maximumTags] in UserPlanner(pattern: $0, maximumTags: maximumTags) }
        properties = section.section("properties").pairs()
    }

    /// The tags that a hub's own section names, else those of `send`.
    ///
    /// - Parameter hub: The section of a hub.
    /// - Returns: `nil` where a problem was reported.
    func audiences(of hub: ConfigurationSection) -> AudiencePlanner? {
        hub.text("tags").map { hub.audiences($0, maximumTags: maximumTags) } ?? audiences
    }

    /// The forms that a hub's own section names, else those of `send`.
    ///
    /// - Parameter hub: The section of a hub.
    /// - Returns: `nil` where a problem was reported.
    func forms(of hub: ConfigurationSection) -> [SendForm]? {
        hub.isGiven("as") ? hub.sendForms() : forms
    }
}

extension ConfigurationSection {
    /// `as`: one word or a list; `nil` where a problem was reported.
    fileprivate func sendForms() -> [SendForm]? {
        guard let words = texts("as") else { return nil }
        var forms: [SendForm] = []
        for word in words {
            guard let form = SendForm(rawValue: word) else {
                let choices = SendForm.allCases.map(\.rawValue).joined(separator: ", ")
                report("as", "'\(word)' is none of: \(choices)")
                return nil
            }
            guard !forms.contains(form) else {
                report("as", "names \(word) twice: devices would be told twice")
                return nil
            }
            forms.append(form)
        }
        if forms.isEmpty { report("as", "is empty; write template, or the platforms to send to") }
        return forms.isEmpty ? nil : forms
    }

    /// The tags that a pattern makes; `nil` where a problem was reported.
    fileprivate func audiences(_ pattern: String, maximumTags: Int) -> AudiencePlanner? {
        context.reporting { () throws(RuleProblem) in
            AudiencePlanner(
                pattern: try TagPattern(pattern, path: (path + ["tags"]).joined(separator: ".")),
                maximumTags: maximumTags
            )
        }
    }
}
