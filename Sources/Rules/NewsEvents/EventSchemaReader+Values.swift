import ASCII
import StrictJSON
import Timestamps

/// Checks of single values against the schema. Places are closures, so that a valid event builds no pointers.
extension EventSchemaReader {
    /// Adds a fault if a required member is missing.
    mutating func present(_ value: JSONValue?, isRequired: Bool, at place: @autoclosure () -> String) -> JSONValue? {
        if value == nil, isRequired { faults.add(place(), "is missing") }
        return value
    }

    /// Reads a string; lengths are counted in Unicode scalars, as in JSON Schema.
    mutating func string(
        _ value: JSONValue?,
        _ form: StringSyntax,
        most: Int,
        isRequired: Bool = false,
        at place: @autoclosure () -> String
    ) -> String? {
        guard let value = present(value, isRequired: isRequired, at: place()) else { return nil }
        guard case .string(let text) = value else {
            faults.add(place(), "must be a string, is \(value.typeName)")
            return nil
        }
        guard text.hasAtMost(most) else {
            faults.add(place(), "longer than \(most)")
            return nil
        }
        guard form.fits(text) else {
            faults.add(place(), form.complaint)
            return nil
        }
        return text
    }

    /// Reads an integer; `1.0` is an integer.
    mutating func integer(
        _ value: JSONValue?,
        in range: ClosedRange<Int64>,
        isRequired: Bool = false,
        at place: @autoclosure () -> String
    ) -> Int64? {
        guard let value = present(value, isRequired: isRequired, at: place()) else { return nil }
        guard case .number(let number) = value else {
            faults.add(place(), "must be an integer, is \(value.typeName)")
            return nil
        }
        guard let integer = number.int64, range.contains(integer) else {
            faults.add(place(), "must be an integer from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return integer
    }

    /// Reads one of a closed list of words.
    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _: Choice.Type,
        _ value: JSONValue?,
        isRequired: Bool = false,
        at place: @autoclosure () -> String
    ) -> Choice? {
        guard let value = present(value, isRequired: isRequired, at: place()) else { return nil }
        if case .string(let text) = value, let choice = Choice(rawValue: text) { return choice }
        let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        let found = value.string?.quoted(limit: 32) ?? value.typeName
        faults.add(place(), "must be one of \(known), is \(found)")
        return nil
    }

    /// Reads an instant of RFC 3339. Instants outside the years 1678 to 2262 are clamped.
    mutating func instant(
        _ value: JSONValue?,
        isRequired: Bool = false,
        at place: @autoclosure () -> String
    ) -> Timestamp? {
        guard let value = present(value, isRequired: isRequired, at: place()) else { return nil }
        guard case .string(let text) = value else {
            faults.add(place(), "must be a date-time, is \(value.typeName)")
            return nil
        }
        if let instant = Self.instant(of: text) { return instant }
        faults.add(place(), "must be a date-time of RFC 3339 with offset, such as 2026-03-02T09:40:00+01:00")
        return nil
    }

    /// Reads an instant that only restricts. Instead of none, some systems write the first instant of .NET's calendar.
    mutating func limit(_ value: JSONValue?, at place: @autoclosure () -> String) -> Timestamp? {
        if let text = value?.string, FeedTime.isNone(text) { return nil }
        return instant(value, at: place())
    }

    /// Reads an embargo; see ``FeedTime/isNoEmbargo(_:)``.
    mutating func embargo(_ value: JSONValue?) -> Timestamp? {
        if let value, FeedTime.isNoEmbargo(value) { return nil }
        return instant(value, at: "/embargo")
    }

    /// The instant of an RFC 3339 text. Instants outside the years 1678 to 2262 are clamped.
    static func instant(of text: String) -> Timestamp? { Timestamp(rfc3339: text) ?? distantInstant(text) }

    /// Reads an instant that does not fit into nanoseconds, such as the year 9999 that some systems write for never.
    ///
    /// The calendar repeats every 400 years, so the rest is checked with the equivalent year from 1800 to 2199.
    private static func distantInstant(_ text: String) -> Timestamp? {
        guard text.utf8.first?.isDigit == true, let year = Int(text.prefix(4)), !(1700...2200).contains(year)
        else { return nil }
        guard Timestamp(rfc3339: "\(1800 + year % 400)\(text.dropFirst(4))") != nil else { return nil }
        return Timestamp(nanoseconds: year < 1700 ? .min : .max)
    }

    /// Reads an array of strings; a repeated string is a fault.
    mutating func strings(
        _ value: JSONValue?,
        _ form: StringSyntax,
        most: Int,
        count: ClosedRange<Int>,
        isRequired: Bool = false,
        at place: @autoclosure () -> String
    ) -> [String] {
        guard let value = present(value, isRequired: isRequired, at: place()) else { return [] }
        guard case .array(let elements) = value else {
            faults.add(place(), "must be an array, is \(value.typeName)")
            return []
        }
        guard count.contains(elements.count) else {
            faults.add(place(), "must have \(count.lowerBound) to \(count.upperBound) elements, has \(elements.count)")
            return []
        }
        var texts: [String] = []
        texts.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            guard let text = string(element, form, most: most, at: "\(place())/\(index)") else { continue }
            if texts.contains(where: { $0.utf8.elementsEqual(text.utf8) }) {
                faults.add("\(place())/\(index)", "occurs twice")
            }
            texts.append(text)
        }
        return texts
    }

    /// Reads an array of users' names, which may be long; a repeated name is a fault.
    mutating func names(
        _ value: JSONValue,
        most: Int,
        count: ClosedRange<Int>,
        at place: @autoclosure () -> String
    ) -> [String] {
        guard case .array(let elements) = value else {
            faults.add(place(), "must be an array, is \(value.typeName)")
            return []
        }
        guard count.contains(elements.count) else {
            faults.add(place(), "must have \(count.lowerBound) to \(count.upperBound) elements, has \(elements.count)")
            return []
        }
        var names: [String] = []
        var seen: Set<String> = []
        names.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            guard let name = string(element, .user, most: most, at: "\(place())/\(index)") else { continue }
            if !seen.insert(name).inserted { faults.add("\(place())/\(index)", "occurs twice") }
            names.append(name)
        }
        return names
    }
}

extension String {
    /// Whether the text has at most `count` Unicode scalars. Counts them only if it has more than `count` bytes.
    fileprivate func hasAtMost(_ count: Int) -> Bool {
        utf8.count <= count || (utf8.count <= 4 * count && unicodeScalars.count <= count)
    }
}
