import NewsflashBasics
import NewsflashEvents
import NotificationHubs

/// A rule that makes a category of each code of a family: `geo:*` into `geo.{code}`, or `geo:*-*` for codes of two parts only.
struct CategoryFamily: Sendable {
    let ruleName: String
    private let prefix: String
    /// The text between the two parts of a code; `nil` if one part is enough.
    private let divider: String?
    private let before: String
    private let after: String

    init(ruleName: String, family: String, tag: String, path: String) throws(ValidationProblem) {
        let parts = family.lowercasedASCII.split(separator: "*", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts.last?.isEmpty == true, !parts.dropLast().contains("") else {
            let message =
                "\"\(family)\" is not a family of codes; write a beginning and a star, as in geo:*, or geo:*-* for codes of two "
                + "parts"
            throw ValidationProblem(path: path + ".each", message: message)
        }
        let pieces = tag.split(separator: "{code}", omittingEmptySubsequences: false)
        guard pieces.count == 2 else {
            throw ValidationProblem(path: path + ".tag", message: "must contain {code} once, as in geo.{code}")
        }
        do throws(HubValueError) {
            _ = try Tag(pieces[0] + "x" + pieces[1])
        } catch {
            throw ValidationProblem(path: path + ".tag", message: error.message)
        }
        self.ruleName = ruleName
        self.prefix = String(parts[0])
        self.divider = parts.count == 3 ? String(parts[1]) : nil
        self.before = String(pieces[0])
        self.after = String(pieces[1])
    }

    /// The maximum length of an event's code, in bytes.
    private static let maximumCode = 96

    /// The maximum number of categories that one code makes.
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

    /// The categories of a code; empty if it is of another family or cannot be part of a tag.
    ///
    /// A part of a country, `geo:CZ-10`, is also in the country, `geo:CZ`. ISO 3166 codes are converted to upper case. Codes of
    /// other families are not converted. In a family of codes of two parts, each code makes one category.
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
