import StrictJSON

/// Values of members of faults; `nil` if a value has the wrong type or is out of range.
extension JSONValue {
    private static var yearInSeconds: Int64 { 31_536_000 }

    /// An integer within a range.
    func whole(_ range: ClosedRange<Int64>) -> Int? {
        int64.flatMap { range.contains($0) ? Int($0) : nil }
    }

    /// One of the raw values of a type.
    func choice<Choice: RawRepresentable<String>>() -> Choice? {
        string.flatMap { Choice(rawValue: $0) }
    }

    /// A text that is not empty.
    var filledString: String? {
        string.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// An array of 1 to 100 valid values.
    func all<Value>(_ read: (JSONValue) -> Value?) -> [Value]? {
        guard let elements = array, (1...100).contains(elements.count) else { return nil }
        let values = elements.compactMap(read)
        return values.count == elements.count ? values : nil
    }

    /// A duration of at most a year: `250ms`, `120s`, `2m`, `1h` or a number of seconds.
    var duration: Duration? {
        if let seconds = whole(0...Self.yearInSeconds) { return .seconds(seconds) }
        guard let text = string else { return nil }
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int64(digits), number <= Self.yearInSeconds * 1000 else { return nil }
        let duration: Duration? =
            switch text[digits.endIndex...] {
            case "ms": .milliseconds(number)
            case "s": .seconds(number)
            case "m": .seconds(number * 60)
            case "h": .seconds(number * 3600)
            default: nil
            }
        return duration.flatMap { $0 <= .seconds(Self.yearInSeconds) ? $0 : nil }
    }

    /// A duration, or two percentiles in ascending order.
    var latency: FaultLatency? {
        if let duration { return .fixed(duration) }
        guard let members = object, members.count == 2, let p50 = self[member: "p50"]?.duration,
            let p99 = self[member: "p99"]?.duration, p50 > .zero, p50 <= p99
        else { return nil }
        return .percentiles(p50: p50, p99: p99)
    }

    /// A number of seconds, or a date this many seconds in the future.
    var retryAfter: Fault.RetryAfter? {
        if let seconds = whole(0...Self.yearInSeconds) { return .seconds(seconds) }
        guard object?.count == 1 else { return nil }
        return self[member: "date"]?.whole(0...Self.yearInSeconds).map { .date(secondsAhead: $0) }
    }
}
