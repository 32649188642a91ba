import ASCII
import NewsEvents
import NotificationHubs

/// A rule that turns each code of a family into a category of its own: `geo:*` into `geo.{code}`, or `geo:*-*` where only
/// codes of two parts are meant.
struct CategoryFamily: Sendable {
    let ruleName: String
    private let prefix: String
    /// What stands between the parts of a code; `nil` where one part is enough.
    private let divider: String?
    private let before: String
    private let after: String

    init(ruleName: String, family: String, tag: String, path: String) throws(RuleProblem) {
        let parts = family.lowercasedASCII.split(separator: "*", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts.last?.isEmpty == true, !parts.dropLast().contains("") else {
            let message =
                "\"\(family)\" is no family of codes; write a beginning and a star, as in geo:*, or geo:*-* for codes of two "
                + "parts"
            throw RuleProblem(path: path + ".each", message: message)
        }
        let pieces = tag.split(separator: "{code}", omittingEmptySubsequences: false)
        guard pieces.count == 2 else {
            throw RuleProblem(path: path + ".tag", message: "must hold {code} once, as in geo.{code}")
        }
        do throws(TagError) {
            _ = try Tag(pieces[0] + "x" + pieces[1])
        } catch {
            throw RuleProblem(path: path + ".tag", message: error.message)
        }
        self.ruleName = ruleName
        self.prefix = String(parts[0])
        self.divider = parts.count == 3 ? String(parts[1]) : nil
        self.before = String(pieces[0])
        self.after = String(pieces[1])
    }

    /// The most bytes of an event's code.
    private static let maximumCode = 96

    /// How many categories one code makes at most.
    var mostCategories: Int { prefix == "geo:" && divider == nil ? 2 : 1 }

    /// The longest category that a code makes.
    var longestCategory: String {
        before + String(repeating: "x", count: max(1, Self.maximumCode - prefix.utf8.count)) + after
    }

    /// Returns whether some code of the family can make a category.
    func canMake(_ category: String) -> Bool {
        category.hasPrefix(before) && category.hasSuffix(after)
            && category.utf8.count > before.utf8.count + after.utf8.count
    }

    /// The categories of a code, none where it is of another family or cannot stand in a tag.
    ///
    /// A part of a country, `geo:CZ-10`, is also in the country, `geo:CZ`; ISO 3166 is written in capitals whoever wrote
    /// the event. Codes of other families stay as they are written. Where only codes of two parts are meant, each makes one
    /// category.
    func categories(of code: String) -> [String] {
        let lowered = code.lowercasedASCII
        guard lowered.hasPrefix(prefix) else { return [] }
        let rest = String(decoding: code.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
        if let divider {
            let halves = lowered.dropFirst(prefix.count).split(separator: divider, maxSplits: 1)
            guard halves.count == 2, !lowered.dropFirst(prefix.count).hasPrefix(divider) else { return [] }
            return [category(prefix == "geo:" ? rest.uppercased() : rest)].compactMap(\.self)
        }
        guard prefix == "geo:" else { return [category(rest)].compactMap(\.self) }
        let place = rest.uppercased()
        let country = place.split(separator: "-", maxSplits: 1).first.map(String.init) ?? place
        return (country == place ? [place] : [place, country]).compactMap(category)
    }

    private func category(_ code: String) -> String? {
        let text = before + code + after
        return !code.isEmpty && (try? Tag(text)) != nil ? text : nil
    }
}
