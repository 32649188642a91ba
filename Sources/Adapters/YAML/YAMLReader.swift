import CYAML

/// Reads one YAML document into nodes.
package enum YAMLReader {
    /// The maximum number of bytes of text.
    package static let maximumBytes = 1 << 20
    /// The maximum nesting of lists and mappings.
    package static let maximumDepth = 32

    /// Reads a text.
    ///
    /// Stricter than YAML to avoid surprises: a key may be in a mapping only once, and anchors, aliases, tags and a second
    /// document are refused.
    ///
    /// - Parameter text: The text in UTF-8, at most ``maximumBytes``.
    /// - Returns: The document's root; `nil` for a text of white space and comments only.
    /// - Throws: ``YAMLError`` with the position of the first error.
    package static func read(_ text: String) throws(YAMLError) -> YAMLNode? {
        let bytes = Array(text.utf8)
        guard bytes.count <= maximumBytes else {
            throw YAMLError(
                line: 1,
                column: 1,
                message: "the text has \(bytes.count) bytes; at most \(maximumBytes) are allowed"
            )
        }
        let result: Result<YAMLNode?, YAMLError> = bytes.withUnsafeBufferPointer { buffer in
            do throws(YAMLError) {
                let parser = try EventParser(buffer)
                return .success(try document(parser))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private static func document(_ parser: borrowing EventParser) throws(YAMLError) -> YAMLNode? {
        var root: YAMLNode?
        while true {
            let event = try parser.next()
            switch event.kind {
            case .streamEnd: return root
            case .documentStart where root != nil:
                throw YAMLError(
                    line: event.line,
                    column: event.column,
                    message: "a second document begins; only one is allowed"
                )
            case .streamStart, .documentStart, .documentEnd: continue
            default: root = try node(event, parser, depth: 0)
            }
        }
    }

    private static func node(
        _ event: ParserEvent,
        _ parser: borrowing EventParser,
        depth: Int
    ) throws(YAMLError) -> YAMLNode {
        guard depth < maximumDepth else {
            throw YAMLError(
                line: event.line,
                column: event.column,
                message: "is nested more than \(maximumDepth) levels deep"
            )
        }
        switch event.kind {
        case .scalar(let text, let isPlain):
            return YAMLNode(.scalar(text, isPlain: isPlain), line: event.line, column: event.column)
        case .sequenceStart:
            var items: [YAMLNode] = []
            while true {
                let item = try parser.next()
                if item.kind == .sequenceEnd { break }
                items.append(try node(item, parser, depth: depth + 1))
            }
            return YAMLNode(.sequence(items), line: event.line, column: event.column)
        case .mappingStart:
            return YAMLNode(.mapping(try entries(parser, depth: depth + 1)), line: event.line, column: event.column)
        default:
            throw YAMLError(line: event.line, column: event.column, message: "a value was expected here")
        }
    }

    private static func entries(_ parser: borrowing EventParser, depth: Int) throws(YAMLError) -> [YAMLEntry] {
        var entries: [YAMLEntry] = []
        var lines: [String: Int] = [:]
        while true {
            let event = try parser.next()
            if event.kind == .mappingEnd { return entries }
            let key = try node(event, parser, depth: depth)
            guard case .scalar(let name, _) = key.kind else {
                throw YAMLError(
                    line: key.line,
                    column: key.column,
                    message: "a key must be a plain word, not a list or a mapping"
                )
            }
            if let first = lines[name] {
                throw YAMLError(
                    line: key.line,
                    column: key.column,
                    message: "the key '\(name)' is already in line \(first)"
                )
            }
            lines[name] = key.line
            entries.append(YAMLEntry(key: key, value: try node(try parser.next(), parser, depth: depth)))
        }
    }
}
