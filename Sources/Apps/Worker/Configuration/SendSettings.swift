import NewsflashEvents
import NewsflashRendering
import NewsflashRouting
import NotificationHubs

/// The section `send`: the default form and tags of hubs, and the properties of every send.
struct SendSettings {
    /// `nil` if a problem was reported.
    let forms: [PayloadFormat]?
    /// `nil` if a problem was reported.
    let audiences: AudiencePlanner?
    /// `nil` if a problem was reported.
    let users: UserPlanner?
    private let maximumTags: Int
    let properties: [(name: String, pattern: String)]

    /// Reads `send`.
    init(_ section: ConfigurationSection) {
        forms = section.isGiven("as") ? section.sendForms() : [.template]
        maximumTags = section.integer("maximumTags")
        audiences = section.audiences(section.value("tags"), maximumTags: maximumTags)
        let users = section.value("users")
        let pattern = section.context.reporting { () throws(ValidationProblem) in try UserPattern(users) }
        self.users = pattern.map { [maximumTags] in UserPlanner(pattern: $0, maximumTags: maximumTags) }
        properties = section.section("properties").pairs()
    }

    /// The tags of a hub's own section, otherwise those of `send`.
    ///
    /// - Returns: `nil` if a problem was reported.
    func audiences(of hub: ConfigurationSection) -> AudiencePlanner? {
        hub.text("tags").map { hub.audiences($0, maximumTags: maximumTags) } ?? audiences
    }

    /// The forms of a hub's own section, otherwise those of `send`.
    ///
    /// - Returns: `nil` if a problem was reported.
    func forms(of hub: ConfigurationSection) -> [PayloadFormat]? {
        hub.isGiven("as") ? hub.sendForms() : forms
    }
}

extension ConfigurationSection {
    /// Reads `as`: one word or a list; `nil` if a problem was reported.
    fileprivate func sendForms() -> [PayloadFormat]? {
        guard let words = texts("as") else { return nil }
        var forms: [PayloadFormat] = []
        for word in words {
            guard let form = PayloadFormat(rawValue: word) else {
                let choices = PayloadFormat.allCases.map(\.rawValue).joined(separator: ", ")
                report("as", "'\(word)' is not one of: \(choices)")
                return nil
            }
            guard !forms.contains(form) else {
                report("as", "contains \(word) twice: devices would be notified twice")
                return nil
            }
            forms.append(form)
        }
        if forms.isEmpty { report("as", "is empty; write template, or the platforms to send to") }
        return forms.isEmpty ? nil : forms
    }

    /// Parses a tag pattern; `nil` if a problem was reported.
    fileprivate func audiences(_ pattern: String, maximumTags: Int) -> AudiencePlanner? {
        context.reporting { () throws(ValidationProblem) in
            AudiencePlanner(
                pattern: try TagPattern(pattern, path: (path + ["tags"]).joined(separator: ".")),
                maximumTags: maximumTags
            )
        }
    }
}
