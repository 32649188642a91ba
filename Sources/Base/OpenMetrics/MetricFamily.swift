/// All series of one name.
struct MetricFamily: Sendable {
    /// The types of OpenMetrics that are used here; the raw value is the word in the `TYPE` line.
    enum Kind: String, Sendable {
        case counter, gauge, histogram

        /// What the format may append to the family's name, which no other family may then be called.
        var suffixes: [String] {
            switch self {
            case .counter: ["", "_total", "_created"]
            case .gauge: [""]
            case .histogram: ["", "_bucket", "_count", "_sum", "_created"]
            }
        }
    }

    /// What makes the numbers of a series.
    enum Instrument: Sendable {
        case counter(Counter)
        case gauge(Gauge)
        case computed(@Sendable () -> Double)
        case histogram(Histogram)
    }

    /// One set of dimensions and its numbers.
    struct Series: Sendable {
        /// The dimensions sorted, so that their order makes no difference.
        let identity: String
        /// The dimensions in the order given, `a="x",b="y"`; empty without any.
        let labels: String
        let instrument: Instrument
    }

    let name: String
    let kind: Kind
    let help: String
    /// Empty where there is none.
    let unit: String
    /// Of histograms.
    let bounds: [Double]
    /// In order of creation.
    var series: [Series] = []
    /// Places in `series` by identity.
    var places: [String: Int] = [:]

    /// The instrument of these dimensions, made where there is none yet.
    mutating func instrument(
        _ dimensions: [(String, String)],
        make: (borrowing MetricFamily) -> Instrument
    ) -> Instrument {
        let identity = OpenMetricsText.labels(dimensions.sorted { $0.0 < $1.0 })
        if let place = places[identity] { return series[place].instrument }
        let instrument = make(self)
        places[identity] = series.count
        series.append(
            Series(identity: identity, labels: OpenMetricsText.labels(dimensions), instrument: instrument)
        )
        return instrument
    }

    /// Takes a series out; does nothing where there is none.
    mutating func remove(_ dimensions: [(String, String)]) {
        let identity = OpenMetricsText.labels(dimensions.sorted { $0.0 < $1.0 })
        guard let place = places.removeValue(forKey: identity) else { return }
        series.remove(at: place)
        for index in place..<series.count { places[series[index].identity] = index }
    }
}
