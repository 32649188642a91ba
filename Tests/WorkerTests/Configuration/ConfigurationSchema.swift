import NewsflashStrictJSON

/// The keys that the configuration's schema describes.
struct ConfigurationSchema {
    /// One key; `*` represents a name that the newsroom chooses.
    struct Key: CustomStringConvertible {
        let path: [String]
        /// The default in the schema.
        let standard: String?
        /// Whether all keys below it belong to it.
        var isWhole = false

        var description: String { path.joined(separator: ".") }

        /// Whether a key is this one, or the section that contains the names of this one.
        func isNamed(by other: [String]) -> Bool {
            for (place, step) in path.enumerated() {
                guard place < other.count else { return step == "*" && place == other.count }
                guard step == "*" || step == other[place] else { return false }
            }
            return isWhole || path.count == other.count
        }
    }

    private let definitions: JSONValue?
    private(set) var keys: [Key] = []

    init(_ schema: JSONValue) {
        definitions = schema[member: "$defs"]
        walk(schema, at: [])
    }

    private mutating func walk(_ node: JSONValue, at path: [String]) {
        let target = node[member: "$ref"]?.string?.split(separator: "/").last.map(String.init)
        let resolved = target.flatMap { definitions?[member: $0] } ?? node
        // The mapped fields and categories have a grammar of their own.
        if path.last == "fields" || path.first == "categories" {
            return keys.append(Key(path: path, standard: nil, isWhole: true))
        }
        var isSection = false
        if case .object(let members) = resolved[member: "properties"] {
            for member in members {
                isSection = true
                walk(member.value, at: path + [member.name])
            }
        }
        if let names = resolved[member: "additionalProperties"], case .object = names {
            isSection = true
            walk(names, at: path + ["*"])
        }
        if resolved[member: "patternProperties"] != nil {
            isSection = true
            keys.append(Key(path: path + ["*"], standard: nil))
        }
        guard !isSection else { return }
        let standard = node[member: "default"] ?? resolved[member: "default"]
        keys.append(Key(path: path, standard: standard?.text))
    }
}

extension JSONValue {
    /// A scalar in the form of a configuration.
    fileprivate var text: String? {
        switch self {
        case .string(let text): text
        case .bool(let flag): flag ? "true" : "false"
        default: int64.map { "\($0)" }
        }
    }
}
