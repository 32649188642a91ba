import StrictJSON
import StrictXML

/// A template's body, laid out once: bytes that never change, and between them the values of a message.
///
/// What is outside of the values was written from the tree that the body was read into, and each value is escaped for
/// where it stands: so whatever a message brings, the result is JSON or XML of the same structure.
struct TemplateBody: Sendable {
    /// One stretch of the body.
    enum Piece: Sendable {
        /// Written as they are.
        case bytes([UInt8])
        /// A string of JSON; a number where the expression is `#( )` and the value is one.
        case json(TemplateExpression)
        /// Text between tags of XML.
        case text(TemplateExpression)
        /// The value of an attribute of XML.
        case attribute(TemplateExpression)
    }

    /// No two of ``Piece/bytes(_:)`` follow each other.
    private(set) var pieces: [Piece] = []
    /// Room for the result.
    private var expectedCount = 0

    mutating func append(_ text: String) { append(text.utf8) }

    mutating func append(_ bytes: some Collection<UInt8>) {
        expectedCount += bytes.count
        if case .bytes(var before)? = pieces.last {
            // Taken out first, so that the array is not copied.
            pieces.removeLast()
            before.append(contentsOf: bytes)
            pieces.append(.bytes(before))
        } else {
            pieces.append(.bytes(Array(bytes)))
        }
    }

    mutating func append(_ piece: Piece) {
        expectedCount += 128
        pieces.append(piece)
    }

    /// Fills the holes.
    ///
    /// - Parameters:
    ///   - values: Of the message and the device.
    ///   - maximumBytes: Where there are more, only so many are made.
    /// - Returns: The body, and whether it is all of it.
    func render(_ values: TemplateValues, maximumBytes: Int) -> (bytes: [UInt8], isWhole: Bool) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(expectedCount, maximumBytes))
        for piece in pieces {
            switch piece {
            case .bytes(let constant): bytes.append(contentsOf: constant)
            case .text(let expression):
                XMLWriter.appendText(expression.text(values, maximumBytes: maximumBytes), to: &bytes)
            case .attribute(let expression):
                XMLWriter.appendAttributeValue(expression.text(values, maximumBytes: maximumBytes), to: &bytes)
            case .json(let expression):
                let text = expression.text(values, maximumBytes: maximumBytes)
                if expression.isNumeric, text.isTemplateNumber {
                    bytes.append(contentsOf: text.utf8)
                } else {
                    JSONWriter.appendString(text, to: &bytes)
                }
            }
            guard bytes.count <= maximumBytes else { return (Array(bytes.prefix(maximumBytes)), false) }
        }
        return (bytes, true)
    }
}
