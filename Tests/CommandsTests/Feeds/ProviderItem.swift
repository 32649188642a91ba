import Testing

/// An item in the form of a provider, with invented texts, and its expected outcome.
struct ProviderItem: Sendable {
    /// The provider and the peculiarity of the item.
    let name: String
    let text: String
    /// The category and the headline of subscribers, or the reason, with `push: { urgency: 1..3 }` as in the guide.
    let outcome: String
    /// The outcome without a filter of urgencies.
    let openOutcome: String

    static let notForPush = "suppressed.not_for_push"

    /// An item that is urgent.
    init(_ name: String, sent outcome: String, _ text: String) {
        self.init(name, outcome, outcome, text)
    }

    /// An item that is not urgent or has no urgency.
    init(_ name: String, calm outcome: String, _ text: String) {
        self.init(name, Self.notForPush, outcome, text)
    }

    /// An item that is not news for subscribers.
    init(other name: String, _ text: String) {
        self.init(name, Self.notForPush, Self.notForPush, text)
    }

    /// An item that expires before it is published, so that it holds its story.
    init(over name: String, _ text: String) {
        let outcome =
            "suppressed.hold /expires: must be after publication and embargo; the story is held"
        self.init(name, outcome, outcome, text)
    }

    private init(_ name: String, _ outcome: String, _ openOutcome: String, _ text: String) {
        self.name = name
        self.text = text
        self.outcome = outcome
        self.openOutcome = openOutcome
    }

    /// An item that is a dead letter without a setting of the source.
    struct WithSetting: Sendable, CustomTestStringConvertible {
        let setting: String
        /// The beginning of the outcome without it.
        let without: String
        let outcome: String
        let text: String

        var testDescription: String { setting }
    }

    static let all = agencies + otherAgencies + generations + oddities
}

extension ProviderItem: CustomTestStringConvertible {
    var testDescription: String { name }
}

extension ProviderItem {
    static let settings = [
        WithSetting(
            setting: "timeZone: Europe/Stockholm",
            without: "invalid.schema /embargo: has no offset; set timeZone",
            outcome: "World: Words after the embargo",
            text:
                #"""
                {"uri":"urn:z:1","version":"1","versioncreated":"2026-03-02T09:00:00",
                "embargoed":"2026-03-02T10:00:00","headline":"Words after the embargo","language":"sv",
                "subject":[{"code":"16000000"}]}
                """#
        ),
        WithSetting(
            setting: "status: { published: usable, deleted: canceled }",
            without: "invalid.pubstatus /pubstatus: must be one of usable, withheld, canceled, is 'Published'",
            outcome: "World: Words of a house",
            text:
                #"""
                {"uri":"urn:z:2","version":"1","pubstatus":"Published","headline":"Words of a house",
                "language":"en"}
                """#
        ),
        WithSetting(
            setting: "headline: [/headline_web, /body_xhtml]",
            without: "invalid.schema /text: is missing",
            outcome: "World: Words of a body",
            text:
                #"""
                {"uri":"urn:z:3","version":"1","body_xhtml":"<p>Words of a <b>body</b></p>","language":"en"}
                """#
        ),
        WithSetting(
            setting: "revision: versioncreated",
            without: "World: Words without a version",
            outcome: "World: Words without a version",
            text:
                #"""
                {"uri":"urn:z:4","headline":"Words without a version","language":"en"}
                """#
        ),
        WithSetting(
            setting: "story: [altids.family, '{story}?*']",
            without: "World: Words of a family",
            outcome: "World: Words of a family",
            text:
                #"""
                {"uri":"urn:z:5?v=1","version":"1","altids":{"family":"f"},"headline":"Words of a family",
                "language":"en"}
                """#
        ),
    ]
}
