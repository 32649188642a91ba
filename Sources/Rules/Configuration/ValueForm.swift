/// A named form of values, which the schema describes in ``SchemaDefinitions``.
package struct ValueForm: Sendable, Equatable {
    /// The name in `$defs` of the schema.
    let definition: String
    /// The form in words, for the reference page.
    let words: String

    private init(_ definition: String, _ words: String) {
        self.definition = definition
        self.words = words
    }

    // MARK: Names and texts

    static let version = ValueForm("version", "1")
    static let topic = ValueForm("topic", "topic")
    static let controlTopic = ValueForm("controlTopic", "topic, may contain {group}")
    static let ledgerTopic = ValueForm("ledgerTopic", "topic, may contain {group} and {topic}")
    static let hubName = ValueForm("hubName", "name of a hub")
    static let memberName = ValueForm("memberName", "letters, digits and . _ -")
    static let path = ValueForm("path", "path of a file")
    static let variable = ValueForm("variable", "name of a variable")
    static let languageTag = ValueForm("languageTag", "language tag")
    static let languages = ValueForm("languages", "list of language tags")
    static let timeZone = ValueForm("timeZone", "time zone")
    static let words = ValueForm("words", "text, or one for each language")
    static let notice = ValueForm("notice", "text without placeholders, or one for each language")
    static let extensionValue = ValueForm("extension", "text")
    static let property = ValueForm("property", "text, number, true or false")
    static let uriReference = ValueForm("uriReference", "URI reference")
    static let userNames = ValueForm("userNames", "list of user names")

    // MARK: Tags and codes

    static let tags = ValueForm("tags", "category, or list of them")
    static let tagPattern = ValueForm("tagPattern", "tag, may contain {category} and {locale}")
    static let userPattern = ValueForm("userPattern", "tag, contains {user}")
    static let unknownCodes = ValueForm("unknownCodes", "drop, dead-letter, or a category")
    static let categoryRule = ValueForm("categoryRule", "list of codes, { all: … } or { each: …, tag: … }")
    static let sendForms = ValueForm("sendForms", "one or several of template, apns, fcmv1, wns, adm, browser")
    static let itemCategories = ValueForm("itemCategories", "list of codes")
    static let prefix = ValueForm("prefix", "medtop, subj, or a word")

    // MARK: Items of feeds

    static let storyRules = ValueForm("storyRules", "path, or list of them")
    static let headlines = ValueForm("headlines", "JSON Pointer, or list of them")
    static let link = ValueForm("link", "path, or https:// with {story} or {id}")
    static let itemTypes = ValueForm("itemTypes", "list of types")
    static let phrases = ValueForm("phrases", "list of phrases")
    static let urgencies = ValueForm("urgencies", "urgency from 1 to 9, or a range such as 1..3")
    static let field = ValueForm("field", "path or rule, or list of them")
    static let timeField = ValueForm("timeField", "path or rule, or list of them")
    static let textRules = ValueForm("textRules", "{ headline: …, summary: … }, or one for each language")

    // MARK: Times and numbers

    static let hours = ValueForm("hours", "two times, such as 22:00-07:00")
    package static let rate = ValueForm("rate", "rate, such as 6 per 10m")
    package static let caps = ValueForm("caps", "rate, or list of them, also per story")
    package static let budget = ValueForm("budget", "rate, or off")

    // MARK: Addresses

    static let brokers = ValueForm("brokers", "host:port, or list of them")
    static let address = ValueForm("address", "host:port, or off")
    static let hostNames = ValueForm("hostNames", "list of host names")
    static let hubAddresses = ValueForm("hubAddresses", "ENDPOINT/NAME, or list of them")
    static let addressRanges = ValueForm("addressRanges", "list of addresses and ranges")
}
