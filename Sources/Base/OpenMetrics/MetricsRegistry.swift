import Locks

/// Makes metrics and writes them all as text, in the shape of swift-metrics.
///
/// Any thread. A metric is known by its name and dimensions: asking again gives the same handle. Nothing here fails:
/// where a name or a dimension cannot be written, or the name is taken by another kind, the first stays and the handle
/// returned is *detached*: it counts, but is in no text, and ``refusedNames`` has its name. Names end in their unit
/// (`newsflash_hub_request_seconds`); `_total` of counters may be given or left out.
package final class MetricsRegistry: Sendable {
    private struct State {
        var families: [String: MetricFamily] = [:]
        /// The family that each name belongs to, with all suffixes.
        var owners: [String: String] = [:]
        var refused: Set<String> = []

        /// Takes a name with its suffixes for a family; false where another family or kind has one of them.
        mutating func claim(_ name: String, for kind: MetricFamily.Kind) -> Bool {
            if let family = families[name] { return family.kind == kind }
            let names = kind.suffixes.map { name + $0 }
            guard names.allSatisfy({ owners[$0] == nil }) else { return false }
            for claimed in names { owners[claimed] = name }
            return true
        }
    }

    private static let mostRefusedNames = 100
    private let state = Locked(State())

    /// Makes a registry without metrics.
    package init() {}

    /// The count of this name and these dimensions.
    ///
    /// - Parameters:
    ///   - name: With or without `_total`.
    ///   - help: A sentence; the first one given for a name stays.
    ///   - unit: Shown where the name ends in it, such as `seconds`.
    ///   - dimensions: Names and values; their order is that of the text and makes no other difference.
    /// - Returns: The handle to keep.
    package func counter(
        _ name: String,
        help: String = "",
        unit: String = "",
        dimensions: [(String, String)] = []
    ) -> Counter {
        let request = MetricRequest(kind: .counter, name: name, help: help, unit: unit, dimensions: dimensions)
        guard case .counter(let counter) = register(request, make: { _ in .counter(Counter()) }) else {
            return Counter()
        }
        return counter
    }

    /// Shows a count that somebody else keeps, such as the system.
    ///
    /// - Parameters:
    ///   - name: With or without `_total`; where this series is there already, the closure is dropped.
    ///   - help: A sentence; the first one given for a name stays.
    ///   - unit: Shown where the name ends in it.
    ///   - dimensions: Names and values.
    ///   - value: As for a gauge; the caller sees to it that it never falls.
    package func counter(
        _ name: String,
        help: String = "",
        unit: String = "",
        dimensions: [(String, String)] = [],
        value: @escaping @Sendable () -> Double
    ) {
        let request = MetricRequest(kind: .counter, name: name, help: help, unit: unit, dimensions: dimensions)
        _ = register(request) { _ in .computed(value) }
    }

    /// The gauge of this name and these dimensions; see ``counter(_:help:unit:dimensions:)`` for the parameters.
    package func gauge(
        _ name: String,
        help: String = "",
        unit: String = "",
        dimensions: [(String, String)] = []
    ) -> Gauge {
        let request = MetricRequest(kind: .gauge, name: name, help: help, unit: unit, dimensions: dimensions)
        guard case .gauge(let gauge) = register(request, make: { _ in .gauge(Gauge()) }) else {
            return Gauge()
        }
        return gauge
    }

    /// Shows a number that is asked for at each scrape.
    ///
    /// - Parameters:
    ///   - name: As for a gauge; where this series is there already, the closure is dropped.
    ///   - help: A sentence; the first one given for a name stays.
    ///   - unit: Shown where the name ends in it.
    ///   - dimensions: Names and values.
    ///   - value: Called by ``text()`` on its thread, outside every lock of the registry; must not block. What it captures
    ///     lives until the series is removed.
    package func gauge(
        _ name: String,
        help: String = "",
        unit: String = "",
        dimensions: [(String, String)] = [],
        value: @escaping @Sendable () -> Double
    ) {
        let request = MetricRequest(kind: .gauge, name: name, help: help, unit: unit, dimensions: dimensions)
        _ = register(request) { _ in .computed(value) }
    }

    /// The histogram of this name and these dimensions.
    ///
    /// - Parameters:
    ///   - name: Without a suffix.
    ///   - help: A sentence; the first one given for a name stays.
    ///   - unit: Shown where the name ends in it.
    ///   - dimensions: Names and values; `le` is the format's own.
    ///   - buckets: Upper bounds above zero, in any order; the first ones given for a name stay.
    /// - Returns: The handle to keep.
    package func histogram(
        _ name: String,
        help: String = "",
        unit: String = "",
        dimensions: [(String, String)] = [],
        buckets: [Double] = Histogram.secondsBuckets
    ) -> Histogram {
        let bounds = Histogram.checked(buckets)
        let request = MetricRequest(
            kind: .histogram,
            name: name,
            help: help,
            unit: unit,
            dimensions: dimensions,
            bounds: bounds
        )
        let instrument = register(request) { family in .histogram(Histogram(bounds: family.bounds)) }
        guard case .histogram(let histogram) = instrument else { return Histogram(bounds: bounds) }
        return histogram
    }

    /// Takes a series out of the text, such as that of a partition that left.
    ///
    /// Its handle is detached from now on; asking again makes a new one that starts at zero.
    ///
    /// - Parameters:
    ///   - name: As it was given.
    ///   - dimensions: As they were given, in any order.
    package func remove(_ name: String, dimensions: [(String, String)]) {
        state.withLock { state in
            guard let owner = state.owners[name] else { return }
            state.families[owner]?.remove(dimensions)
        }
    }

    /// Names that were asked for and got a detached handle, sorted; at most 100.
    package var refusedNames: [String] {
        state.withLock { $0.refused }.sorted()
    }

    /// All metrics as text: families by name, series in order of creation.
    ///
    /// Families without a series are left out.
    ///
    /// - Parameter format: Of the text.
    /// - Returns: What a scrape is answered with.
    package func text(_ format: MetricsFormat = .openMetrics) -> String {
        let families = state.withLock { Array($0.families.values) }
        var text = OpenMetricsText(format)
        for family in families.sorted(by: { $0.name < $1.name }) where !family.series.isEmpty {
            text.append(family)
        }
        return text.finished()
    }
}

extension MetricsRegistry {
    /// The instrument that is there or is made now; nothing where the request is refused.
    private func register(
        _ request: MetricRequest,
        make: (borrowing MetricFamily) -> MetricFamily.Instrument
    ) -> MetricFamily.Instrument? {
        state.withLock { state in
            let name = request.familyName
            guard request.isWritable, state.claim(name, for: request.kind) else {
                if state.refused.count < Self.mostRefusedNames { state.refused.insert(request.name) }
                return nil
            }
            return state.families[name, default: request.family].instrument(request.dimensions, make: make)
        }
    }
}
