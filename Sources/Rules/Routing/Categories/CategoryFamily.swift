import NewsEvents
import NotificationHubs

/// A rule that turns each code of a family into a category of its own: `geo:*` into `geo.{code}`.
struct CategoryFamily: Sendable {
    let ruleName: String
    private let prefix: String
    private let before: String
    private let after: String

    init(ruleName: String, family: String, tag: String, path: String) throws(RuleProblem) {
        guard family.hasSuffix("*"), family.utf8.count > 1, !family.dropLast().contains("*") else {
            let message = "\"\(family)\" is no family of codes; write a beginning and a star, as in geo:*"
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
        self.prefix = CategoryCode.lowercased(String(family.dropLast()))
        self.before = String(pieces[0])
        self.after = String(pieces[1])
    }

    /// The categories of a code, none where it is of another family or cannot stand in a tag.
    ///
    /// A part of a country, `geo:CZ-10`, is also in the country, `geo:CZ`; ISO 3166 is written in capitals whoever wrote
    /// the event. Codes of other families stay as they are written.
    func categories(of code: String) -> [String] {
        guard CategoryCode.lowercased(code).hasPrefix(prefix) else { return [] }
        let rest = String(decoding: code.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
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
