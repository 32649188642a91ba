import CNewsflashYAML

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

/// An event of libyaml as a Swift type.
struct ParserEvent {
    enum Kind: Equatable {
        case streamStart
        case streamEnd
        case documentStart
        case documentEnd
        case scalar(String, isPlain: Bool)
        case sequenceStart
        case sequenceEnd
        case mappingStart
        case mappingEnd
    }

    var kind: Kind
    var line: Int
    var column: Int
}

/// The owner of a libyaml parser over bytes that outlive it.
struct EventParser: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let bytes: UnsafeBufferPointer<UInt8>

    init(_ bytes: UnsafeBufferPointer<UInt8>) throws(YAMLError) {
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        guard yaml_parser_initialize(parser) == 1 else {
            parser.deallocate()
            throw YAMLError(line: 1, column: 1, message: "not enough memory to read the text")
        }
        yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        self.parser = parser
        self.bytes = bytes
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
    }

    /// Returns the next event; must not be called after the end of the stream.
    borrowing func next() throws(YAMLError) -> ParserEvent {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw fault() }
        defer { yaml_event_delete(&event) }
        let line = event.start_mark.line + 1
        let column = event.start_mark.column + 1
        func refused(_ message: String) -> YAMLError { YAMLError(line: line, column: column, message: message) }
        guard let kind = try kind(of: event, refused: refused) else { throw refused("this is not supported") }
        return ParserEvent(kind: kind, line: line, column: column)
    }

    private borrowing func kind(
        of event: yaml_event_t,
        refused: (String) -> YAMLError
    ) throws(YAMLError) -> ParserEvent.Kind? {
        let anchors = "anchors (&) and aliases (*) are not supported; write the value where it is needed"
        let tags = "tags (!) are not supported; remove it"
        switch event.type {
        case YAML_STREAM_START_EVENT: return .streamStart
        case YAML_STREAM_END_EVENT: return .streamEnd
        case YAML_DOCUMENT_START_EVENT: return .documentStart
        case YAML_DOCUMENT_END_EVENT: return .documentEnd
        case YAML_SEQUENCE_END_EVENT: return .sequenceEnd
        case YAML_MAPPING_END_EVENT: return .mappingEnd
        case YAML_ALIAS_EVENT: throw refused(anchors)
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            if scalar.anchor != nil { throw refused(anchors) }
            if scalar.tag != nil { throw refused(tags) }
            let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            return .scalar(String(decoding: bytes, as: UTF8.self), isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
        case YAML_SEQUENCE_START_EVENT:
            if event.data.sequence_start.anchor != nil { throw refused(anchors) }
            if event.data.sequence_start.tag != nil { throw refused(tags) }
            return .sequenceStart
        case YAML_MAPPING_START_EVENT:
            if event.data.mapping_start.anchor != nil { throw refused(anchors) }
            if event.data.mapping_start.tag != nil { throw refused(tags) }
            return .mappingStart
        default: return nil
        }
    }

    /// Returns libyaml's error with its position and what to do.
    private borrowing func fault() -> YAMLError {
        let problem = parser.pointee.problem.map { String(cString: $0) } ?? "the text is not YAML"
        if parser.pointee.error == YAML_READER_ERROR {
            // This error has no mark, only the number of the byte.
            let before = bytes.prefix(parser.pointee.problem_offset)
            let lines = before.count { $0 == UInt8(ascii: "\n") }
            let column = before.reversed().prefix { $0 != UInt8(ascii: "\n") }.count + 1
            return YAMLError(line: lines + 1, column: column, message: problem)
        }
        let mark = parser.pointee.problem_mark
        return YAMLError(line: mark.line + 1, column: mark.column + 1, message: problem + hint(for: problem, at: mark))
    }

    private borrowing func hint(for problem: String, at mark: yaml_mark_t) -> String {
        switch problem {
        case "mapping values are not allowed in this context":
            return "; put a value that contains ': ' in quotes, and begin the keys of a section in one column"
        case "did not find expected key":
            return "; begin the keys of a section in one column, and put a value that contains quotes or ': ' in quotes"
        case "found character that cannot start any token":
            let character = String(decoding: bytes, as: UTF8.self).unicodeScalars.dropFirst(mark.index).first
            guard let character, character != "\t" else { return "; tabs cannot indent, use spaces" }
            return "; a value that begins with \(character) needs quotes"
        case "did not find expected ',' or '}'", "did not find expected ',' or ']'":
            return "; close each { and [, and put commas between the parts"
        default:
            return problem.contains("tab") ? "; tabs cannot indent, use spaces" : ""
        }
    }
}
