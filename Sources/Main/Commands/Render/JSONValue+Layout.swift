import StrictJSON

extension JSONValue {
    /// The value on several lines, indented by two spaces for each level.
    var laidOut: String { laidOut(indentation: "") }

    private func laidOut(indentation: String) -> String {
        let deeper = indentation + "  "
        func lines(_ items: [String], _ open: String, _ close: String) -> String {
            guard !items.isEmpty else { return open + close }
            let inner = items.map { deeper + $0 }.joined(separator: ",\n")
            return "\(open)\n\(inner)\n\(indentation)\(close)"
        }
        switch self {
        case .array(let elements):
            return lines(elements.map { $0.laidOut(indentation: deeper) }, "[", "]")
        case .object(let members):
            let items = members.map { member in
                "\(JSONValue.string(member.name).compact): \(member.value.laidOut(indentation: deeper))"
            }
            return lines(items, "{", "}")
        default:
            return compact
        }
    }

    private var compact: String {
        var writer = JSONWriter()
        writer.value(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
