package import NewsflashStrictJSON

/// The JSON schema `schemas/newsflash-configuration-v1.schema.json`, for editors and checks.
package struct ConfigurationSchemaFile {
    private static let head = #"""
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "urn:newsflash:schema:configuration:1",
        "title": "newsflash configuration, version 1",
        "description": "The worker's YAML configuration, for editors and checks; `newsflash lint` checks more and prints \#
        the line of each problem. An environment variable can set each single value: its path in upper snake case after \#
        NEWSFLASH_, so kafka.bootstrapServers is NEWSFLASH_KAFKA_BOOTSTRAP_SERVERS. Unlike the schemas of records this one \#
        is closed: a misspelt key is an error. Values may be quoted or plain. Generated from the table of keys.",
        "type": "object", "required": ["version", "locales", "categories"], "not": {"required": ["hub", "hubs"]},
        "additionalProperties": false}
        """#

    private var definitions: [JSONMember] = []

    /// Returns the schema.
    ///
    /// - Throws: If a fixed part is not JSON.
    package static func text() throws(JSONError) -> String {
        var schema = ConfigurationSchemaFile()
        var root = try members(head)
        root.append(JSONMember(name: "properties", value: try schema.properties(of: [])))
        for part in [SchemaDefinitions.general, SchemaDefinitions.sources, SchemaDefinitions.others] {
            schema.definitions += try members(part)
        }
        root.append(JSONMember(name: "$defs", value: .object(schema.definitions)))
        root.append(JSONMember(name: "examples", value: try JSONReader.read(SchemaExamples.all)))
        return JSONLayout.text(.object(root)) + "\n"
    }

    private static func members(_ text: String) throws(JSONError) -> [JSONMember] {
        try JSONReader.read(text).object ?? []
    }

    private static func children(of path: [String]) -> [ConfigurationRow] {
        ConfigurationTable.rows.filter { $0.path.count == path.count + 1 && $0.path.starts(with: path) }
    }

    private mutating func properties(of path: [String]) throws(JSONError) -> JSONValue {
        var properties: [JSONMember] = []
        for row in Self.children(of: path) {
            properties.append(JSONMember(name: row.path.last ?? "", value: try schema(of: row)))
        }
        return .object(properties)
    }

    private mutating func schema(of row: ConfigurationRow) throws(JSONError) -> JSONValue {
        switch row {
        case .key(let key): return try Self.schema(of: key)
        case .group(let group):
            let schema = try schema(of: group)
            guard let definition = group.definition else { return schema }
            definitions.append(JSONMember(name: definition, value: schema))
            return .object([JSONMember(name: "$ref", value: .string("#/$defs/\(definition)"))])
        }
    }

    private mutating func schema(of group: ConfigurationGroup) throws(JSONError) -> JSONValue {
        var schema = [
            JSONMember(name: "description", value: .string(group.meaning)),
            JSONMember(name: "type", value: .string("object")),
        ]
        if let constraints = group.constraints { schema += try Self.members(constraints) }
        if let names = group.names {
            let reference = JSONMember(name: "$ref", value: .string("#/$defs/\(names)"))
            schema.append(JSONMember(name: "propertyNames", value: .object([reference])))
        }
        let children = Self.children(of: group.path)
        if let child = children.first, child.path.last == "*" {
            let value = try self.schema(of: child)
            if let pattern = group.pattern {
                let values = JSONValue.object([JSONMember(name: pattern, value: value)])
                schema.append(JSONMember(name: "patternProperties", value: values))
                schema.append(JSONMember(name: "additionalProperties", value: .bool(false)))
            } else {
                schema.append(JSONMember(name: "additionalProperties", value: value))
            }
            return .object(schema)
        }
        let required = children.compactMap { child -> JSONValue? in
            guard case .key(let key) = child, key.standard == .required else { return nil }
            return .string(key.path.last ?? "")
        }
        if !required.isEmpty { schema.append(JSONMember(name: "required", value: .array(required))) }
        schema.append(JSONMember(name: "additionalProperties", value: .bool(false)))
        schema.append(JSONMember(name: "properties", value: try properties(of: group.path)))
        return .object(schema)
    }

    private static func schema(of key: ConfigurationKey) throws(JSONError) -> JSONValue {
        var meaning = key.meaning
        if case .derived(let words, _) = key.standard { meaning += " Default: \(words)." }
        var schema = [JSONMember(name: "description", value: .string(meaning))]
        schema += try members("{\(key.type.schema)}")
        let standard: String? =
            switch key.standard {
            case .value(let value): value
            case .derived(_, let value): value
            case .none, .required: nil
            }
        if let standard {
            schema.append(JSONMember(name: "default", value: try JSONReader.read(key.type.json(of: standard))))
        }
        return .object(schema)
    }
}
