package import NewsflashCommandLineArguments
import NewsflashEvents
package import NewsflashWorker

/// Parses the values of `--fail`, such as `main=503@2..5`.
package enum HubFaultArgument {
    private static let forms = "write HUB=ANSWER, HUB=ANSWER@FROM..TO or HUB=ANSWER@line:FROM..TO"

    /// Parses a value.
    ///
    /// - Parameter text: The hub's name in the configuration, the response, and the range of requests or lines; without a
    ///   range, all requests get the response.
    /// - Returns: The fault.
    /// - Throws: `ValidationError` with the problem and the correct forms.
    package static func read(_ text: String) throws(ValidationError) -> HubFault {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
            throw ValidationError("'--fail \(text)' is not HUB=ANSWER: \(forms).")
        }
        let parts = text[text.index(after: equals)...].split(
            separator: "@",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard let answer = answer(parts[0]) else {
            throw ValidationError(
                "'--fail \(text)': the answer '\(parts[0])' must be an HTTP status from 200 to 599, 'cut' or 'silence'."
            )
        }
        var fault = HubFault(hub: String(text[..<equals]), answer: answer)
        guard parts.count == 2 else { return fault }
        let isOfLines = parts[1].hasPrefix("line:")
        guard let range = range(isOfLines ? parts[1].dropFirst(5) : parts[1]) else {
            throw ValidationError(
                "'--fail \(text)': '\(parts[1])' must be one number from 1, such as 2, or a range such as 2..5 or 2..; "
                    + "put 'line:' before it to count lines."
            )
        }
        fault.span = isOfLines ? .lines(range) : .requests(range)
        return fault
    }

    /// Checks that the hubs of faults exist.
    ///
    /// - Parameters:
    ///   - faults: The faults of `--fail`.
    ///   - configuration: The configuration with the hubs.
    ///   - file: The configuration's name in messages.
    /// - Throws: ``OperationError`` with exit code 78 and the configured hubs.
    package static func check(
        _ faults: [HubFault],
        against configuration: WorkerConfiguration,
        of file: String
    ) throws(OperationError) {
        let labels = configuration.hubs.map(\.label)
        for fault in faults where !labels.contains(fault.hub) {
            let names = labels.map { "'\($0)'" }.joined(separator: ", ")
            throw OperationError(
                .badConfiguration,
                "\(file): --fail names the unknown hub '\(fault.hub)'; write one of \(names)"
            )
        }
    }

    private static func answer(_ text: Substring) -> RehearsedAnswer? {
        switch text {
        case "cut": .cut
        case "silence": .silence
        default: number(text).flatMap { (200...599).contains($0) ? .status($0) : nil }
        }
    }

    private static func range(_ text: Substring) -> ClosedRange<Int>? {
        guard let dots = text.firstRange(of: "..") else { return number(text).map { $0...$0 } }
        guard let first = number(text[..<dots.lowerBound]) else { return nil }
        if dots.upperBound == text.endIndex { return first...Int.max }
        guard let last = number(text[dots.upperBound...]), last >= first else { return nil }
        return first...last
    }

    private static func number(_ text: Substring) -> Int? {
        Int(digits: text).flatMap { $0 > 0 ? $0 : nil }
    }
}
