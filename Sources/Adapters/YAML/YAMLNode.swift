/// A node of a YAML document, with its position in the text.
package struct YAMLNode: Sendable, Equatable {
    /// The content of a node. Scalars have no type: the reader of a value decides what it must be.
    package indirect enum Kind: Sendable, Equatable {
        /// A text; plain if it was written without quotes, so that `null` and `"null"` can be distinguished.
        case scalar(String, isPlain: Bool)
        case sequence([YAMLNode])
        /// In the order of the text; keys are unique.
        case mapping([YAMLEntry])
    }

    package var kind: Kind
    /// The line, from 1.
    package var line: Int
    /// The column, from 1, in characters.
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

/// Why a text is not a supported document.
package struct YAMLError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The line, from 1.
    package var line: Int
    /// The column, from 1, in characters.
    package var column: Int
    /// The error and what to write instead.
    package var message: String

    package init(line: Int, column: Int, message: String) {
        self.line = line
        self.column = column
        self.message = message
    }

    package var description: String { "line \(line), column \(column): \(message)" }
}
