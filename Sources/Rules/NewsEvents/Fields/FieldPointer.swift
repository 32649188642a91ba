import ASCII
import StrictJSON

/// A place in a document of any form: a JSON Pointer (RFC 6901) in which one step may be `*` for each element.
package struct FieldPointer: Sendable, Equatable {
    private enum Step: Equatable {
        case named(String)
        case each
    }

    private let steps: [Step]
    /// As it was written.
    package let text: String

    /// Reads a pointer; `nil` where it is none, or has a second `*`.
    ///
    /// - Parameter text: Such as `/article/tags/*/code`; empty for the whole document. `~1` stands for a slash in a name,
    ///   `~0` for a tilde.
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

    /// The name of the member with which it begins; `nil` if it begins otherwise.
    var firstStep: String? {
        guard case .named(let name) = steps.first else { return nil }
        return name
    }

    /// The name of the member with which it ends; empty if it ends otherwise.
    var lastStep: String {
        if case .named(let name) = steps.last { name } else { "" }
    }

    /// What stands there.
    ///
    /// - Parameter document: Any.
    /// - Returns: One value, those of each element, or none; nulls are left out.
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
}

extension JSONValue {
    /// An array's element by its index, which has no leading zeros (RFC 6901, section 4).
    fileprivate func element(_ index: String) -> JSONValue? {
        guard let elements = array, index == "0" || !index.hasPrefix("0"), let index = Int64(digits: index),
            index < elements.count
        else { return nil }
        return elements[Int(index)]
    }
}
