/// Columns of text, fitted to the width of a screen. Characters that could control a terminal are escaped.
///
/// ```
/// WORKER  STATE        LAG
/// a:9464  ready         12
/// b:9464  no answer      -
/// ```
package struct TextTable: Sendable {
    /// One column.
    package struct Column: Sendable {
        /// The part that gives way if the table is wider than the screen.
        package enum Fit: Sendable, Equatable {
            /// Nothing.
            case whole
            /// The whole column, before those with higher numbers.
            case omitted(Int)
            /// The ends of its texts, down to this many characters and an ellipsis. It gives way after the omitted columns.
            case shortened(to: Int)
            /// The line: the words continue on the next one, under the beginning of the column. Only for the last column. If
            /// less than half of the width is left, the column has lines of its own.
            case wrapped
        }

        package var heading: String
        package var fit: Fit
        /// Whether texts are aligned to the right, as numbers are.
        var isNumber: Bool
        /// The width if all texts are shorter.
        package var minimum: Int

        package init(_ heading: String = "", _ fit: Fit = .whole, isNumber: Bool = false, minimum: Int = 0) {
            self.heading = heading
            self.fit = fit
            self.isNumber = isNumber
            self.minimum = minimum
        }
    }

    /// One text, and its meaning if it has a colour.
    package struct Cell: Sendable, ExpressibleByStringInterpolation {
        package var text: String
        package var tone: ScreenStyle.Tone?

        package init(_ text: String, _ tone: ScreenStyle.Tone? = nil) {
            self.text = text
            self.tone = tone
        }

        package init(stringLiteral text: String) { self.init(text) }
    }

    /// The blanks before the texts of lines of their own.
    private static let deepIndent = 4

    private let columns: [Column]
    private let indent: Int
    private let gap: Int
    private var rows: [[Cell]] = []

    /// Makes a table. Headings are printed if a column has one.
    ///
    /// - Parameters:
    ///   - columns: The columns, from left to right.
    ///   - indent: The number of blanks before each line.
    ///   - gap: The number of blanks between two columns.
    package init(_ columns: [Column], indent: Int = 0, gap: Int = 2) {
        self.columns = columns
        self.indent = indent
        self.gap = gap
    }

    /// Adds a row.
    ///
    /// - Parameter cells: A cell for each column.
    package mutating func append(_ cells: [Cell]) {
        rows.append(cells.map { Cell($0.text.harmless, $0.tone) })
    }

    /// The lines of the table.
    ///
    /// - Parameter style: The screen. Without a width, no text gives way.
    /// - Returns: The lines without line ends and without blanks at their ends.
    package func lines(_ style: ScreenStyle) -> [String] {
        let headings = columns.contains { !$0.heading.isEmpty } ? [columns.map { Cell($0.heading) }] : []
        let texts = headings + rows
        let wide = columns.indices.map { column in
            max(columns[column].minimum, texts.map { $0[column].text.screenWidth }.max() ?? 0)
        }
        let widths = fitted(wide, to: style.width)
        let start =
            indent
            + columns.indices.reduce(0) { start, column in
                columns[column].fit == .wrapped ? start : start + (widths[column].map { $0 + gap } ?? 0)
            }
        let longest = texts.compactMap(\.last).map(\.text.screenWidth).max() ?? 0
        let hasOwnLines = style.width.map { start + longest > $0 && ($0 - start) * 2 < $0 } ?? false
        return texts.flatMap { lines(of: $0, widths, hasOwnLines ? nil : start, style) }
    }

    /// The widths of the columns that fit; `nil` for those that are left out. A wrapped column has the width that is left.
    private func fitted(_ wide: [Int], to width: Int?) -> [Int?] {
        var widths = wide.map(Int?.some)
        guard let width else { return widths }
        func excess() -> Int {
            let shown = columns.indices.filter { widths[$0] != nil && columns[$0].fit != .wrapped }
            return shown.reduce(indent - gap) { $0 + gap + (widths[$1] ?? 0) } - width
        }
        let omitted = columns.indices.compactMap { column -> (order: Int, column: Int)? in
            if case .omitted(let order) = columns[column].fit { (order, column) } else { nil }
        }
        for (_, column) in omitted.sorted(by: { $0.order < $1.order }) where excess() > 0 { widths[column] = nil }
        while excess() > 0 {
            // The widest column gives way first.
            let candidates = columns.indices.filter { column in
                if case .shortened(let least) = columns[column].fit { (widths[column] ?? 0) > least } else { false }
            }
            guard let widest = candidates.max(by: { (widths[$0] ?? 0) < (widths[$1] ?? 0) }) else { break }
            widths[widest] = widths[widest].map { $0 - 1 }
        }
        return widths
    }

    /// The lines of a row.
    ///
    /// - Parameters:
    ///   - cells: The cells of the row.
    ///   - widths: The widths of the columns; `nil` for those that are left out.
    ///   - start: The beginning of the wrapped column; `nil` if it has lines of its own.
    ///   - style: The screen.
    /// - Returns: At least one line.
    private func lines(of cells: [Cell], _ widths: [Int?], _ start: Int?, _ style: ScreenStyle) -> [String] {
        var line = String(repeating: " ", count: indent)
        var isFirst = true
        for (column, cell) in zip(columns, cells).enumerated().map({ ($0.offset, $0.element.1) }) {
            guard let width = widths[column] else { continue }
            if columns[column].fit == .wrapped {
                if !isFirst { line += String(repeating: " ", count: gap) }
                return wrapped(cell.text, after: line, start, style)
            }
            if !isFirst { line += String(repeating: " ", count: gap) }
            isFirst = false
            let text = cell.text.shortened(to: width)
            let blanks = String(repeating: " ", count: max(0, width - text.screenWidth))
            let shown = cell.tone.map { style.word(text, $0) } ?? text
            line += columns[column].isNumber ? blanks + shown : shown + blanks
        }
        return [line.withoutBlanksAtEnd]
    }

    private func wrapped(_ text: String, after line: String, _ start: Int?, _ style: ScreenStyle) -> [String] {
        guard !text.isEmpty else { return [line.withoutBlanksAtEnd] }
        guard let width = style.width else { return [line + text] }
        let place = start ?? indent + Self.deepIndent
        let parts = text.folded(to: max(1, width - place))
        let blanks = String(repeating: " ", count: place)
        guard start != nil else { return [line.withoutBlanksAtEnd] + parts.map { blanks + $0 } }
        return parts.enumerated().map { $0 == 0 ? line + $1 : blanks + $1 }
    }
}

extension String {
    /// The text on lines of a screen: words that do not fit continue on lines that are indented.
    ///
    /// - Parameters:
    ///   - style: The screen. Without a width it is one line.
    ///   - indent: The number of blanks before the second line and later ones, in addition to those of the first.
    /// - Returns: At least one line, without characters that could control a terminal. Commands in quotes are whole, and so are
    ///   indented lines that begin with a command.
    package func lines(_ style: ScreenStyle, indent: Int = 4) -> [String] {
        let text = harmless
        let blanks = text.prefix { $0 == " " }
        let isCommand = !blanks.isEmpty && text.dropFirst(blanks.count).hasPrefix(Self.program)
        guard let width = style.width, text.screenWidth > width, !isCommand else { return [text] }
        let deep = blanks + String(repeating: " ", count: indent)
        let first = text.folded(to: width)[0]
        let rest = String(text.dropFirst(first.count)).drop { $0 == " " }
        guard !rest.isEmpty else { return [first] }
        return [first] + String(rest).folded(to: max(1, width - deep.count)).map { deep + $0 }
    }

    /// The beginning of each command of this program.
    private static let program = "newsflash "

    /// The text in parts of at most a width, between words if possible. A command such as `'newsflash pauses'` stays whole, even
    /// if it is wider, so that it can be copied.
    fileprivate func folded(to width: Int) -> [String] {
        var parts: [String] = []
        var rest = self[...]
        while rest.screenWidth > width {
            var end = rest.startIndex
            var used = 0
            while end < rest.endIndex, used + rest[end].screenWidth <= width {
                used += rest[end].screenWidth
                end = rest.index(after: end)
            }
            // At least one character, so that it ends.
            if end == rest.startIndex { end = rest.index(after: end) }
            let isBetweenWords = end < rest.endIndex && rest[end] == " "
            let words = rest.drop { $0 == " " }.startIndex
            if let command = Self.command(around: end, in: rest) {
                end = command.lowerBound > words ? command.lowerBound : command.upperBound
            } else if !isBetweenWords, let blank = rest[words..<max(words, end)].lastIndex(of: " ") {
                end = blank
            }
            parts.append(String(rest[..<end]).withoutBlanksAtEnd)
            rest = rest[end...].drop { $0 == " " }
        }
        return rest.isEmpty && !parts.isEmpty ? parts : parts + [String(rest)]
    }

    /// The command in quotes that a break would divide, with the punctuation after it; or `nil`.
    private static func command(around end: Index, in text: Substring) -> Range<Index>? {
        var start = text.startIndex
        while start < end, let quote = text[start..<end].firstIndex(of: "'") {
            let first = text.index(after: quote)
            let closing = text[first...].firstIndex(of: "'") ?? text.endIndex
            let last = text[closing...].firstIndex(of: " ") ?? text.endIndex
            if text[first...].hasPrefix(program), last > end { return quote..<last }
            start = text[first...].hasPrefix(program) ? last : first
        }
        return nil
    }

    /// The text, or its beginning and an ellipsis if it is wider.
    fileprivate func shortened(to width: Int) -> String {
        guard screenWidth > width else { return self }
        var text = ""
        var used = 1
        for character in self where used <= width {
            used += character.screenWidth
            if used <= width { text.append(character) }
        }
        return text + "…"
    }

    fileprivate var withoutBlanksAtEnd: String {
        String(self[..<(lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex)])
    }
}

extension StringProtocol {
    /// The number of columns on a screen.
    fileprivate var screenWidth: Int { reduce(0) { $0 + $1.screenWidth } }
}

extension Character {
    /// The scripts and signs of which each character takes two columns.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
        0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]

    fileprivate var screenWidth: Int {
        guard let scalar = unicodeScalars.first, scalar.value >= 0x1100 else { return 1 }
        return Self.wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }
}
