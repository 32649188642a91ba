import ASCII
import StrictJSON

/// The members besides the status by which systems say that an item is withdrawn: `state: killed`, `withdrawn: true`.
enum ItemState {
    private static let members: Set<String> = ["state", "status", "itemstatus"]
    /// Words that are said of news alone.
    private static let kills: Set<String> = ["killed", "withdrawn", "retracted", "recalled"]
    /// Words that can be said of what the news is about, of a draft, or of an old item that is tidied up.
    private static let holds: Set<String> = ["canceled", "cancelled", "deleted", "unpublished", "spiked"]

    /// The names of all members that are looked at, in lower case.
    static let names: Set<String> = members.union(kills).union(holds)

    /// The order of a member.
    ///
    /// - Parameters:
    ///   - name: Its name in lower case.
    ///   - value: Any.
    /// - Returns: Kill or hold; `nil` if it does not withdraw.
    static func order(of name: String, _ value: JSONValue) -> EventKind? {
        let words: [String]
        if members.contains(name) {
            words = value.words.map(\.lastPartOfCode.lowercasedASCII)
        } else if name == "pubstatus" {
            let statuses = value.words.map(\.lastPartOfCode.lowercasedASCII)
            return statuses.contains("canceled") ? .kill : statuses.contains("withheld") ? .hold : nil
        } else if names.contains(name), value.bool ?? value.word?.truth ?? false {
            words = [name]
        } else {
            return nil
        }
        if words.contains(where: { kills.contains($0) && ($0 != "withdrawn" || name == $0) }) { return .kill }
        // A horse is withdrawn, too.
        return words.contains { kills.contains($0) || holds.contains($0) } ? .hold : nil
    }
}
