/// How the values of a key are compared: `60s` equals `1m`, but a changed space in a text is a change.
enum ConfigurationForm: Sendable {
    /// Character by character: texts, tags, codes and names.
    case text
    /// `+5` equals `5`.
    case number
    /// `60s` equals `1m`.
    case duration
    /// `1024KiB` equals `1 MiB`.
    case size
    /// `12 per day` equals `12 per 24h`.
    case rate
    /// `[a, b]` equals `a, b`; each item is compared character by character.
    case list

    /// Returns equal results for values with the same meaning.
    func canonical(_ text: String) -> [String] {
        switch self {
        case .text: [text]
        case .number: [Int(text).map { "\($0)" } ?? text]
        case .duration: [Duration(configured: text).map { "\($0)" } ?? text]
        case .size: [Int(configuredBytes: text).map { "\($0)" } ?? text]
        case .rate: [ConfiguredRate(text).map { "\($0)" } ?? text]
        case .list: text.splitAtCommas
        }
    }

    /// Returns equal results for lists whose items have the same meanings.
    func canonical(_ items: [String]) -> [String] {
        self == .list ? items : items.flatMap { canonical($0) }
    }
}
