/// The memory addresses of a head's parts, which show how its lines were separated.
///
/// libmicrohttpd 0.9.75 accepts a bare LF for CR LF, joins folded lines, cuts a value at a NUL, and does not report it. But all
/// parts keep the addresses at which they were received. So there must be one blank between method, target and version, one
/// colon after a name, and two bytes at the end of each line. Anything else in a line changes one of these distances.
struct HeadLayout {
    private var end: Int
    private var isSound = true

    /// Starts with a request line.
    ///
    /// - Parameters:
    ///   - method: The addresses of the method.
    ///   - target: The addresses of the target.
    ///   - version: The addresses of the version.
    init(method: Range<Int>, target: Range<Int>, version: Range<Int>) {
        end = method.lowerBound
        expect(method, separator: 1)
        expect(target, separator: 1)
        expect(version, separator: 2)
    }

    /// Adds a field's line.
    ///
    /// - Parameters:
    ///   - name: The addresses of the name.
    ///   - value: The addresses of the value; blanks may come before it.
    mutating func add(name: Range<Int>, value: Range<Int>) {
        expect(name, separator: 1)
        isSound = isSound && value.lowerBound >= end
        end = value.upperBound &+ 2
    }

    /// Checks that the lines are separated correctly, and that the head ends with an empty line.
    ///
    /// - Parameter end: The address after the head.
    /// - Returns: True if both are correct.
    func isExact(endingAt end: Int) -> Bool { isSound && self.end &+ 2 == end }

    private mutating func expect(_ part: Range<Int>, separator: Int) {
        isSound = isSound && part.lowerBound == end
        end = part.upperBound &+ separator
    }
}
