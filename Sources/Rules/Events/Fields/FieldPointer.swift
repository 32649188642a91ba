import NewsflashBasics
import NewsflashStrictJSON

/// A place in a document of any form: a JSON Pointer (RFC 6901) in which one step may be `*`, for each element.
package struct FieldPointer: Sendable, Equatable {
    private enum Step: Equatable {
        case named(String)
        case each
    }

    private let steps: [Step]
    /// The pointer as written.
    package let text: String

    /// Reads a pointer; `nil` if it is invalid, or has a second `*`.
    ///
    /// - Parameter text: A pointer such as `/article/tags/*/code`; empty for the whole document. `~1` means a slash in a
    ///   name, `~0` a tilde.
    package init?(_ text: String) {
        guard text.isEmpty || text.hasPrefix("/") else { return nil }
        var steps: [Step] = []
        for part in text.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            if part == "*" {
                guard !steps.contains(.each) else { return nil }
                steps.append(.each)
                continue
            }
            let pieces = part.split(separator: "~", omittingEmptySubsequences: false)
            guard pieces.dropFirst().allSatisfy({ $0.hasPrefix("0") || $0.hasPrefix("1") }) else { return nil }
            let rest = pieces.dropFirst().map { ($0.hasPrefix("0") ? "~" : "/") + $0.dropFirst() }
            steps.append(.named(String(pieces.first ?? "") + rest.joined()))
        }
        self.steps = steps
        self.text = text
    }

    /// The names of its steps, and `*` for each element.
    var names: [String] {
        steps.map { step in
            if case .named(let name) = step { name } else { "*" }
        }
    }

    /// The name in its last step; empty if that is not a name.
    var lastStep: String {
        if case .named(let name) = steps.last { name } else { "" }
    }

    /// Returns the values at this place: one, those of each element, or none. Nulls are left out.
    func values(in document: JSONValue) -> [JSONValue] {
        var values = [document]
        for step in steps {
            switch step {
            case .each:
                values = values.flatMap { $0.array ?? $0.object?.map(\.value) ?? [] }
            case .named(let name):
                values = values.compactMap { $0[member: name] ?? $0.element(name) }
            }
        }
        return values.filter { !$0.isNull }
    }

    /// A finding for a member that restricts.
    enum Finding {
        /// A value at the end of the path.
        case value(JSONValue)
        /// A value on the path that has no members or elements, so that the restriction is unknown.
        case obstacle(JSONValue)
    }

    /// Returns the values of a member that restricts. A value of an unexpected type on the path is reported, not skipped.
    /// Null, absent members and empty arrays mean no restriction. If no member has the name, one that differs only in case
    /// counts.
    ///
    /// - Parameters:
    ///   - document: A document of any form.
    ///   - isOfEach: Whether each element must have a value.
    /// - Returns: One finding for each value and each obstacle.
    func findings(in document: JSONValue, isOfEach: Bool) -> [Finding] {
        var findings: [Finding] = []
        var values = [document]
        var isList = false
        for step in steps {
            var next: [JSONValue] = []
            for value in values {
                switch (step, value) {
                case (_, .null): if isList, isOfEach { findings.append(.obstacle(value)) }
                case (.each, .array(let elements)): next += elements
                case (.each, .object(let members)): next += members.map(\.value)
                case (.named, .array([])): break
                case (.named(let name), .object(let members)):
                    if let member = value[member: name] ?? members.first(where: { $0.name.isAlmost(name) })?.value {
                        next.append(member)
                    } else if isList, isOfEach {
                        findings.append(.obstacle(value))
                    }
                case (.named(let name), .array) where Int64(digits: name) != nil:
                    if let element = value.element(name) { next.append(element) }
                default: findings.append(.obstacle(value))
                }
            }
            values = next
            isList = isList || step == .each
        }
        for value in values {
            if !value.isNull {
                findings.append(.value(value))
            } else if isList, isOfEach {
                findings.append(.obstacle(value))
            }
        }
        return findings
    }
}

extension String {
    fileprivate func isAlmost(_ name: String) -> Bool { lowercased() == name.lowercased() }
}

extension JSONValue {
    /// The element of an array by its index, which must not have leading zeros (RFC 6901, section 4).
    fileprivate func element(_ index: String) -> JSONValue? {
        guard let elements = array, index == "0" || !index.hasPrefix("0"), let index = Int64(digits: index),
            index < elements.count
        else { return nil }
        return elements[Int(index)]
    }
}
