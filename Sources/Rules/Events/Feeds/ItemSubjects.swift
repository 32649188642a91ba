import NewsflashBasics
import NewsflashStrictJSON

/// The categories of an item of ninjs: its subjects, services and places, or the newsroom's categories for items without any.
///
/// An item whose subjects, services and places are all unreadable has no category: it is for some subscribers, so it must not
/// reach all.
struct ItemSubjects {
    /// The maximum number of categories in an item's event; the category map decides which of them count.
    static let most = 64

    /// The categories, each once. An element may have several codes of one subject, separated by
    /// ``CategoryAlternatives/separator``.
    let categories: [String]
    /// The newsroom's categories, used if none of the item's is mapped. Empty if the item has a place, also as a subject, an
    /// unreadable subject, or a member that limits its audience: it may be for an area that is not in the map.
    let spare: [String]
    /// Whether some categories were dropped.
    let areCut: Bool

    /// Reads the subjects of an item.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - rules: The rules of its source.
    ///   - isOfAP: Whether its subjects state their relation to the item.
    ///   - isOfSuperdesk: Whether it has services.
    init(_ item: JSONValue, rules: SourceRules, isOfAP: Bool, isOfSuperdesk: Bool) {
        let named = item.members("subject", "subjects")
        let subjects = named.compactMap { Self.codes(of: $0, rules: rules, isOfAP: isOfAP) }
        let placed = item.members("place", "places")
        let places = placed.map { place in
            place.codes.compactMap { SubjectCode.place($0, scheme: place[member: "scheme"]?.string) }
        }
        let services = isOfSuperdesk ? item.members("service", "services") : []
        let serviceCodes = services.map { $0.codes.compactMap { SubjectCode.sound("service:\($0)") } }
        let isLimited = !item.members("audience", "users", "area", "areas", "coverage", "region", "regions").isEmpty
        let isEmpty = named.isEmpty && placed.isEmpty && services.isEmpty
        let isLost =
            isLimited || !placed.isEmpty || named.contains(where: Self.isPlace)
            || (subjects + serviceCodes).contains(where: \.isEmpty)
        var seen: Set<String> = []
        var found: [String] = []
        for codes in subjects + serviceCodes + places {
            guard let category = CategoryAlternatives.joined(codes), seen.insert(category).inserted else { continue }
            found.append(category)
        }
        areCut = found.count > Self.most
        if areCut {
            // Codes of IPTC and places map to audiences more often than keywords do.
            found = found.filter(SubjectCode.isOfIPTC) + found.filter { !SubjectCode.isOfIPTC($0) }
        }
        spare = isEmpty || isLost ? [] : rules.categories
        categories = isEmpty && !isLimited ? rules.categories : Array(found.prefix(Self.most))
    }

    /// Whether a subject is a place, by its scheme, its type or the form of its code.
    private static func isPlace(_ subject: JSONValue) -> Bool {
        let scheme = subject[member: "scheme"]?.string
        let kinds = [scheme] + ["type", "role", "rel", "qualifier"].map { subject[member: $0]?.string }
        if kinds.contains(where: { $0.map(SubjectCode.namesPlaces) ?? false }) { return true }
        return subject.codes.contains { code in
            SubjectCode.hasSchemeOfPlaces(code)
                || scheme == nil && code.contains("-") && SubjectCode.place(code, scheme: nil) != nil
        }
    }

    /// The codes of a subject in the form of categories; `nil` if it is not a topic of the item.
    private static func codes(of subject: JSONValue, rules: SourceRules, isOfAP: Bool) -> [String]? {
        var scheme = subject[member: "scheme"]?.string
        if isOfAP, let rels = subject[member: "rels"]?.array?.compactMap(\.string) {
            guard rels.contains("category") || rels.contains("direct") else { return nil }
            if scheme == nil, rels.contains("category") { scheme = "category" }
        }
        let codes = subject.codes
        if codes.isEmpty { return [subject[member: "name"]?.string.flatMap(SubjectCode.named)].compactMap(\.self) }
        return codes.compactMap { SubjectCode.category($0, scheme: scheme, schemes: rules.schemes) }
    }
}

/// Several codes of one subject in one element of an event's categories; a match with any of them is enough.
package enum CategoryAlternatives {
    /// A character that occurs in no code.
    package static let separator: Character = "|"
    private static let most = 4

    /// The codes of one element.
    package static func codes(in category: String) -> [Substring] {
        category.utf8.contains(UInt8(ascii: "|")) ? category.split(separator: separator) : [category[...]]
    }

    /// Joins codes to one element, each once; `nil` if the list is empty.
    static func joined(_ codes: [String]) -> String? {
        var seen: Set<String> = []
        let codes = codes.filter { seen.insert($0).inserted }
        return codes.isEmpty ? nil : codes.prefix(most).joined(separator: String(separator))
    }
}

extension JSONValue {
    /// The elements of all members with one of the names, in any case: those of an array, or the values of an object that is
    /// not itself a subject. Empty elements are left out.
    fileprivate func members(_ names: String...) -> [JSONValue] {
        (object ?? []).filter { names.contains($0.name.lowercasedASCII) }.flatMap { member in
            switch member.value {
            case .array(let elements): elements
            case .object(let members): member.value.isSubject ? [member.value] : members.map(\.value)
            default: [member.value]
            }
        }.filter { !$0.isBare }
    }

    private var isSubject: Bool { !codes.isEmpty || self[member: "name"]?.string != nil }

    private var isBare: Bool {
        switch self {
        case .null: true
        case .string(let text): text.isEmpty
        case .array(let elements): elements.isEmpty
        case .object(let members): members.isEmpty
        case .bool, .number: false
        }
    }

    /// The codes of a subject, place or service, from all members that may contain one.
    fileprivate var codes: [String] {
        if let string { return [string] }
        return ["code", "uri", "literal", "qcode"].compactMap { self[member: $0]?.word }.filter { !$0.isEmpty }
    }
}
