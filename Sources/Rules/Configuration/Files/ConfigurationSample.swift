/// The commented sample `deploy/newsflash.yaml`: every key of the table once.
package struct ConfigurationSample {
    /// The longest line.
    private static let width = 120
    /// The column of a comment after a value, if the value is shorter.
    private static let column = 38
    private static let header = """
        # yaml-language-server: $schema=../schemas/newsflash-configuration-v1.schema.json
        #
        # A regional newsroom: six categories, three languages, one hub. Start from this file; `newsflash lint --config
        # newsflash.yaml` prints every problem with its line. It has every key: keys with a leading # have their default, or
        # an example. guides/configuration.md has the meaning, range and default of each.
        #
        # An environment variable can set each single value instead: its path in upper snake case after NEWSFLASH_.
        # kafka.bootstrapServers, for example, is NEWSFLASH_KAFKA_BOOTSTRAP_SERVERS, which deploy/compose.yaml sets.
        # Durations: 250ms, 30s, 5m, 2h, 7d. Sizes: 65536, 64KiB, 64 MiB.
        #
        # Generated from the table of keys (Sources/Rules/Configuration).
        """

    private var root = SampleNode(name: "")
    private var explained: Set<[String]> = []
    private var lines: [String] = [Self.header]

    /// Generates the file.
    ///
    /// - Parameter isComplete: Whether keys that the sample has as comments are lines, to check them.
    /// - Returns: The text of the file.
    package static func text(isComplete: Bool = false) -> String {
        var sample = ConfigurationSample()
        for key in ConfigurationTable.keys {
            for example in key.examples { sample.insert(example, of: key, isComplete: isComplete) }
        }
        for section in sample.root.children {
            sample.lines.append("")
            sample.add(section, SampleMargin())
        }
        return sample.lines.joined(separator: "\n") + "\n"
    }

    // MARK: The tree

    private mutating func insert(_ example: ConfigurationExample, of key: ConfigurationKey, isComplete: Bool) {
        var names = example.names[...]
        let path = key.path.map { $0 == "*" ? names.popFirst() ?? "*" : $0 }
        let isFirst = explained.insert(key.path).inserted
        var leaf = SampleNode(name: path.last ?? "")
        leaf.value = example.value
        leaf.isComment = example.isComment && !isComplete
        if isFirst, key.path.last != "*" {
            leaf.comment = path.count == 1 ? key.meaning : key.meaning.firstSentence
        }
        var parents: [SampleNode] = []
        for depth in 1..<path.count {
            var parent = SampleNode(name: path[depth - 1])
            if let group = ConfigurationTable.group(Array(key.path[..<depth])) {
                parent.isInline = group.isInline
                parent.isMap = key.path[depth] == "*"
                if group.path.last != "*" { parent.comment = group.meaning }
            }
            parents.append(parent)
        }
        for depth in parents.indices where !explained.insert(Array(key.path[...depth])).inserted {
            parents[depth].comment = ""
        }
        root.insert(leaf, below: parents[...])
    }

    // MARK: The lines

    private mutating func add(_ node: SampleNode, _ outer: SampleMargin) {
        var margin = outer
        if node.isOnlyComments { margin.comment() }
        let start = margin.text + node.name.quotedKey + ":"
        if let value = node.inlineValue { return add("\(start) \(value)", node, outer) }
        addComment(node.comment, outer)
        lines.append(start)
        // A comment has the indentation of the line after it, or of the line before it.
        let children =
            node.isMap
            ? node.children.filter(\.isOnlyComments) + node.children.filter { !$0.isOnlyComments } : node.children
        for child in children { add(child, margin.deeper) }
    }

    /// Adds a line with a value; the comment is in the same line if there is room.
    private mutating func add(_ line: String, _ node: SampleNode, _ margin: SampleMargin) {
        let comment = node.comment.remark
        let padding = String(repeating: " ", count: max(Self.column - line.count, 4))
        let whole = line + padding + "# " + comment
        if !comment.isEmpty, margin.depth > 0, !node.comment.hasSeveralSentences, whole.count <= Self.width {
            lines.append(whole)
        } else {
            addComment(node.comment, margin)
            lines.append(line)
        }
    }

    private mutating func addComment(_ comment: String, _ margin: SampleMargin) {
        var line = ""
        for word in comment.split(separator: " ") {
            if !line.isEmpty, margin.text.count + 3 + line.count + word.count > Self.width {
                lines.append(margin.text + "# " + line)
                line = ""
            }
            line += line.isEmpty ? word : " " + word
        }
        if !line.isEmpty { lines.append(margin.text + "# " + line) }
    }
}

/// A key or mapping of the sample.
private struct SampleNode {
    let name: String
    var children: [SampleNode] = []
    /// `nil` for a mapping.
    var value: String?
    var isComment = false
    var isInline = false
    /// Whether its keys are names that the newsroom chooses.
    var isMap = false
    var comment = ""

    init(name: String) { self.name = name }

    /// Whether no line below is more than a comment.
    var isOnlyComments: Bool { value == nil ? children.allSatisfy(\.isOnlyComments) : isComment }

    /// The value in one line; `nil` for a mapping of several lines.
    var inlineValue: String? {
        if let value { return value }
        guard isInline else { return nil }
        return "{ " + children.map { "\($0.name.quotedKey): \($0.inlineValue ?? "")" }.joined(separator: ", ") + " }"
    }

    mutating func insert(_ leaf: SampleNode, below parents: ArraySlice<SampleNode>) {
        guard let parent = parents.first else { return children.append(leaf) }
        let index = children.firstIndex { $0.name == parent.name }
        if index == nil { children.append(parent) }
        children[index ?? children.count - 1].insert(leaf, below: parents.dropFirst())
    }
}

/// The beginning of a line: its indentation and, in a part that is a comment, `#`.
private struct SampleMargin {
    private(set) var depth = 0
    /// The depth of the mapping that is a comment as a whole.
    private var commentDepth: Int?

    var text: String {
        guard let commentDepth else { return String(repeating: "  ", count: depth) }
        return String(repeating: "  ", count: commentDepth) + "# "
            + String(repeating: "  ", count: depth - commentDepth)
    }

    var deeper: SampleMargin {
        var margin = self
        margin.depth += 1
        return margin
    }

    mutating func comment() { commentDepth = commentDepth ?? depth }
}

extension ConfigurationTable {
    /// The mapping of a path.
    static func group(_ path: [String]) -> ConfigurationGroup? {
        for case .group(let group) in rows where group.path == path { return group }
        return nil
    }
}

extension String {
    /// The text up to the first full stop before a capital letter.
    fileprivate var firstSentence: String {
        guard let end = firstRange(of: /\. (?=[A-Z{])/) else { return self }
        return String(self[..<end.lowerBound]) + "."
    }

    fileprivate var hasSeveralSentences: Bool { firstSentence != self }

    /// The sentence as a comment after a value: without a full stop and, except for abbreviations, with a small first letter.
    fileprivate var remark: String {
        let text = hasSuffix(".") ? String(dropLast()) : self
        guard let second = text.dropFirst().first, !second.isUppercase else { return text }
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    /// A key as YAML writes it.
    fileprivate var quotedKey: String { wholeMatch(of: /[A-Za-z_][A-Za-z0-9_.-]*/) == nil ? "\"\(self)\"" : self }
}
