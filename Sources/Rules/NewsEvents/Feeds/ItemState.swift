import ASCII
import StrictJSON

/// The members other than the status that mark an item as withdrawn, such as `state: killed` or `withdrawn: true`.
enum ItemState {
    private static let members: Set<String> = ["state", "status", "itemstatus"]
    /// Words that can only refer to the news.
    private static let kills: Set<String> = ["killed", "withdrawn", "retracted", "recalled"]
    /// Words that can also refer to the subject of the news, to a draft, or to the cleanup of an old item.
    private static let holds: Set<String> = ["canceled", "cancelled", "deleted", "unpublished", "spiked"]

    /// The names of all members that are checked, in lower case.
    static let names: Set<String> = members.union(kills).union(holds)

    /// The instruction of a member.
    ///
    /// - Parameters:
    ///   - name: Its name in lower case.
    ///   - value: Its value.
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
        // As a state, `withdrawn` may refer to the subject of the news, such as a horse, so it only holds.
        return words.contains { kills.contains($0) || holds.contains($0) } ? .hold : nil
    }
}
