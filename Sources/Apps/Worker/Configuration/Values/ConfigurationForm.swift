/// How the values of a key are compared, so that `60s` is `1m`, and a changed blank in a text is a change.
enum ConfigurationForm: Sendable {
    /// Character by character: texts, tags, codes and names.
    case text
    /// `+5` is `5`.
    case number
    /// `60s` is `1m`.
    case duration
    /// `1024KiB` is `1 MiB`.
    case size
    /// `12 per day` is `12 per 24h`.
    case rate
    /// `[a, b]` is `a, b`; each item is compared character by character.
    case list

    /// Returns the same for values that have the same meaning.
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

    /// Returns the same for lists whose items have the same meaning, each by itself.
    func canonical(_ items: [String]) -> [String] {
        self == .list ? items : items.flatMap { canonical($0) }
    }
}
