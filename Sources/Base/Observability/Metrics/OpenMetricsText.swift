/// Writes metrics as text.
struct OpenMetricsText {
    private let format: MetricsFormat
    private var text = ""

    init(_ format: MetricsFormat) {
        self.format = format
    }

    /// Appends a family with its descriptions and all its series.
    mutating func append(_ family: MetricFamily) {
        switch format {
        case .openMetrics:
            text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
            if !family.unit.isEmpty { text += "# UNIT \(family.name) \(family.unit)\n" }
            if !family.help.isEmpty { text += "# HELP \(family.name) \(Self.escaped(family.help))\n" }
        case .prometheus:
            // In this format a family has the name of its samples.
            let name = family.kind == .counter ? family.name + "_total" : family.name
            if !family.help.isEmpty { text += "# HELP \(name) \(Self.escaped(family.help, quotes: false))\n" }
            text += "# TYPE \(name) \(family.kind.rawValue)\n"
        }
        for series in family.series {
            switch series.instrument {
            case .counter(let counter):
                sample(family.name + "_total", series.labels, String(counter.value))
            case .gauge(let gauge):
                sample(family.name, series.labels, Self.number(gauge.value))
            case .computed(let value):
                let suffix = family.kind == .counter ? "_total" : ""
                sample(family.name + suffix, series.labels, Self.number(value()))
            case .histogram(let histogram):
                append(histogram, named: family.name, series.labels)
            }
        }
    }

    /// Returns the text, with an end mark if the format has one.
    consuming func finished() -> String {
        format == .openMetrics ? text + "# EOF\n" : text
    }

    private mutating func append(_ histogram: Histogram, named name: String, _ labels: String) {
        let sum = histogram.sum
        let counts = histogram.cumulativeCounts
        for (bound, count) in zip(histogram.bounds + [.infinity], counts) {
            let le = "le=\"\(Self.number(bound))\""
            sample(name + "_bucket", labels.isEmpty ? le : "\(labels),\(le)", String(count))
        }
        // The count of the infinity bucket instead of a second counter, so that both always agree.
        sample(name + "_count", labels, String(counts.last ?? 0))
        sample(name + "_sum", labels, Self.number(sum))
    }

    private mutating func sample(_ name: String, _ labels: String, _ value: String) {
        text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
    }
}

extension OpenMetricsText {
    /// Returns dimensions as `a="x",b="y"`.
    static func labels(_ dimensions: [(String, String)]) -> String {
        dimensions.map { name, value in "\(name)=\"\(escaped(value))\"" }.joined(separator: ",")
    }

    /// Escapes backslashes, line feeds and, for label values and OpenMetrics help texts, quotes.
    private static func escaped(_ text: String, quotes: Bool = true) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += #"\\"#
            case "\"" where quotes: result += #"\""#
            case "\n": result += #"\n"#
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Formats a number for both formats; bounds have OpenMetrics' canonical form, such as `1.0`.
    private static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        guard value.isFinite else { return value < 0 ? "-Inf" : "+Inf" }
        return value.description
    }
}
