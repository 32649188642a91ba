import NewsflashStrictJSON
import NewsflashYAML
import Testing

@testable import NewsflashConfiguration

/// The table of keys, and what is generated from it.
@Suite(.timeLimit(.minutes(1)))
struct ConfigurationTableTests {
    @Test func `each path is in one row, after the row of its mapping`() {
        var groups: Set<[String]> = [[]]
        var paths: Set<[String]> = []
        for row in ConfigurationTable.rows {
            let name = row.path.joined(separator: ".")
            #expect(paths.insert(row.path).inserted, "\(name) has two rows")
            #expect(groups.contains(row.path.dropLast()), "\(name) has no mapping before it")
            if case .group(let group) = row { groups.insert(group.path) }
        }
        #expect(ConfigurationTable.keys.count > 150)
    }

    @Test func `each row has a sentence, and each key an example`() {
        for row in ConfigurationTable.rows {
            let name = row.path.joined(separator: ".")
            #expect(row.meaning.hasSuffix(".") || row.meaning.hasSuffix("}}}."), "\(name): '\(row.meaning)'")
            guard case .key(let key) = row else { continue }
            #expect(!key.examples.isEmpty, "\(name)")
            for example in key.examples {
                #expect(!example.value.isEmpty, "\(name) has an empty example")
                #expect(example.names.count == key.path.count { $0 == "*" }, "\(name): \(example.names)")
            }
        }
    }

    /// The paths of all values in a document.
    private func paths(_ node: YAMLNode, _ path: [String] = []) -> [[String]] {
        guard case .mapping(let entries) = node.kind, !ConfigurationTable.keys.contains(where: { $0.isNamed(by: path) })
        else { return [path] }
        return entries.flatMap { entry -> [[String]] in
            guard case .scalar(let name, _) = entry.key.kind else { return [] }
            return paths(entry.value, path + [name])
        }
    }

    @Test func `the sample has each key, and no other`() throws {
        let document = try #require(try YAMLReader.read(ConfigurationSample.text(isComplete: true)))
        let given = paths(document)
        for key in ConfigurationTable.keys {
            #expect(given.contains { key.isNamed(by: $0) }, "\(key.name) is not in the sample")
        }
        for path in given {
            #expect(ConfigurationTable.keys.contains { $0.isNamed(by: path) }, "\(path) is not in the table")
        }
        #expect(Set(given).count == given.count)
    }

    @Test func `no line of the sample is longer than 120 characters`() {
        let long = ConfigurationSample.text().split(separator: "\n").filter { $0.count > 120 }
        #expect(long.isEmpty, "\(long)")
    }

    @Test func `the page has each key once`() {
        let rows = ConfigurationPage.text().split(separator: "\n").filter { $0.hasPrefix("| `") }
        for key in ConfigurationTable.keys {
            #expect(rows.count { $0.hasPrefix("| `\(key.name)` ") } == 1, "\(key.name)")
        }
        for row in rows { #expect(row.split(separator: "|", omittingEmptySubsequences: false).count == 7, "\(row)") }
    }

    @Test func `each reference of the schema has a definition, and each definition a reference`() throws {
        let schema = try JSONReader.read(ConfigurationSchemaFile.text())
        let defined = try #require(schema[member: "$defs"]?.object).map { "#/$defs/\($0.name)" }
        let referred = references(in: schema)
        #expect(Set(defined) == Set(referred))
        #expect(Set(defined).count == defined.count)
    }

    private func references(in value: JSONValue) -> [String] {
        switch value {
        case .object(let members):
            members.flatMap { member -> [String] in
                if member.name == "$ref", let target = member.value.string { return [target] }
                return references(in: member.value)
            }
        case .array(let elements): elements.flatMap(references)
        case .null, .bool, .number, .string: []
        }
    }
}
