/// One node of a YAML document, with its place in the text.
package struct YAMLNode: Sendable, Equatable {
    /// What a node holds. Scalars have no type: whoever reads them says what they should be.
    package indirect enum Kind: Sendable, Equatable {
        /// A text; plain when it was written without quotes, so that `null` and `"null"` can be told apart.
        case scalar(String, isPlain: Bool)
        case sequence([YAMLNode])
        /// In the order of the text; no key stands twice.
        case mapping([YAMLEntry])
    }

    package var kind: Kind
    /// From 1.
    package var line: Int
    /// From 1, in characters.
    package var column: Int

    package init(_ kind: Kind, line: Int, column: Int) {
        self.kind = kind
        self.line = line
        self.column = column
    }
}

/// One key with its value.
package struct YAMLEntry: Sendable, Equatable {
    package var key: YAMLNode
    package var value: YAMLNode

    package init(key: YAMLNode, value: YAMLNode) {
        self.key = key
        self.value = value
    }
}

/// Why a text is no document that we read.
package struct YAMLError: Error, Sendable, Equatable, CustomStringConvertible {
    /// From 1.
    package var line: Int
    /// From 1, in characters.
    package var column: Int
    /// What is wrong and what to write instead.
    package var message: String

    package init(line: Int, column: Int, message: String) {
        self.line = line
        self.column = column
        self.message = message
    }

    package var description: String { "line \(line), column \(column): \(message)" }
}
