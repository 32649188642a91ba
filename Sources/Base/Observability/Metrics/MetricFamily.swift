/// All series of one name.
struct MetricFamily: Sendable {
    /// The OpenMetrics types in use; the raw value is the word in the `TYPE` line.
    enum Kind: String, Sendable {
        case counter, gauge, histogram

        /// The suffixes that the format may append to the family's name. No other family may have the resulting names.
        var suffixes: [String] {
            switch self {
            case .counter: ["", "_total", "_created"]
            case .gauge: [""]
            case .histogram: ["", "_bucket", "_count", "_sum", "_created"]
            }
        }
    }

    /// The source of the numbers of a series.
    enum Instrument: Sendable {
        case counter(Counter)
        case gauge(Gauge)
        case computed(@Sendable () -> Double)
        case histogram(Histogram)
    }

    /// A set of dimensions with its numbers.
    struct Series: Sendable {
        /// The sorted dimensions, which identify the series regardless of their order.
        let identity: String
        /// The dimensions in the given order, `a="x",b="y"`; empty if the series has no dimensions.
        let labels: String
        let instrument: Instrument
    }

    let name: String
    let kind: Kind
    let help: String
    /// Empty if the family has no unit.
    let unit: String
    /// The upper bounds of a histogram; otherwise empty.
    let bounds: [Double]
    /// In order of creation.
    var series: [Series] = []
    /// Indices in `series` by identity.
    var places: [String: Int] = [:]

    /// Returns the instrument for these dimensions, and creates it if necessary.
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

    /// Removes a series; does nothing if it does not exist.
    mutating func remove(_ dimensions: [(String, String)]) {
        let identity = OpenMetricsText.labels(dimensions.sorted { $0.0 < $1.0 })
        guard let place = places.removeValue(forKey: identity) else { return }
        series.remove(at: place)
        for index in place..<series.count { places[series[index].identity] = index }
    }
}
