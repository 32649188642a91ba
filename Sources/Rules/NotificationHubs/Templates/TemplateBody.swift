import StrictJSON
import StrictXML

/// A prepared template body: constant bytes, with the values of a message between them.
///
/// The constant bytes are encoded from the decoded body, and each value is escaped for its position. Therefore the result is
/// always JSON or XML of the same structure, whatever a message contains.
struct TemplateBody: Sendable {
    /// A part of the body.
    enum Piece: Sendable {
        /// Constant bytes.
        case bytes([UInt8])
        /// A JSON string; a number if the expression is `#( )` and its value is a number.
        case json(TemplateExpression)
        /// Text between XML tags.
        case text(TemplateExpression)
        /// The value of an XML attribute.
        case attribute(TemplateExpression)
    }

    /// The parts of the body; two ``Piece/bytes(_:)`` are never adjacent.
    private(set) var pieces: [Piece] = []
    /// The initial capacity for the result, in bytes.
    private var expectedCount = 0

    mutating func append(_ text: String) { append(text.utf8) }

    mutating func append(_ bytes: some Collection<UInt8>) {
        expectedCount += bytes.count
        if case .bytes(var before)? = pieces.last {
            // Removed first, so that the array is not copied.
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

    /// Renders the body.
    ///
    /// - Parameters:
    ///   - values: The values of the message and the device.
    ///   - maximumBytes: The size at which the body is cut off.
    /// - Returns: The body, and whether it is complete.
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
