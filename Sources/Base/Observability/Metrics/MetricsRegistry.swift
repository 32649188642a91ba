import NewsflashBasics

/// Creates metrics and writes all of them as text, with an interface similar to swift-metrics.
///
/// Safe on any thread. A metric is identified by its name and dimensions: requesting it again returns the same handle. No
/// operation fails. If a name or dimension is invalid, or the name belongs to another kind, the existing metric is kept and
/// the returned handle is *detached*: it counts, but is not in the text, and ``refusedNames`` contains its name. Names end
/// in their unit (`newsflash_hub_request_seconds`); the suffix `_total` of counters is optional.
package final class MetricsRegistry: Sendable {
    private struct State {
        var families: [String: MetricFamily] = [:]
        /// The family that each name belongs to, with all suffixes.
        var owners: [String: String] = [:]
        var refused: Set<String> = []

        /// Reserves a name with its suffixes for a family; `false` if one of them belongs to another family or kind.
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

    /// Creates a registry without metrics.
    package init() {}

    /// Returns the counter with this name and these dimensions.
    ///
    /// - Parameters:
    ///   - name: The name, with or without `_total`.
    ///   - help: A sentence; the first one given for a name is kept.
    ///   - unit: The unit, such as `seconds`; shown only if the name ends in it.
    ///   - dimensions: Names and values; their order only affects the text.
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

    /// Registers a count that is kept elsewhere, for example by the system.
    ///
    /// - Parameters:
    ///   - name: The name, with or without `_total`; if this series already exists, the closure is discarded.
    ///   - help: A sentence; the first one given for a name is kept.
    ///   - unit: The unit; shown only if the name ends in it.
    ///   - dimensions: Names and values.
    ///   - value: As for a gauge; must never decrease.
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

    /// Returns the gauge with this name and these dimensions; for the parameters see ``counter(_:help:unit:dimensions:)``.
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

    /// Registers a number that is queried at each scrape.
    ///
    /// - Parameters:
    ///   - name: As for a gauge; if this series already exists, the closure is discarded.
    ///   - help: A sentence; the first one given for a name is kept.
    ///   - unit: The unit; shown only if the name ends in it.
    ///   - dimensions: Names and values.
    ///   - value: Called by ``text()`` on its thread, outside all locks of the registry; must not block. Its captured
    ///     values live until the series is removed.
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

    /// Returns the histogram with this name and these dimensions.
    ///
    /// - Parameters:
    ///   - name: The name without a suffix.
    ///   - help: A sentence; the first one given for a name is kept.
    ///   - unit: The unit; shown only if the name ends in it.
    ///   - dimensions: Names and values; `le` is reserved for the format.
    ///   - buckets: Upper bounds above zero, in any order; the first ones given for a name are kept.
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

    /// Removes a series from the text, for example that of a revoked partition.
    ///
    /// The existing handle is detached; requesting the series again creates one that starts at zero.
    ///
    /// - Parameters:
    ///   - name: The name as given at creation.
    ///   - dimensions: The dimensions as given at creation, in any order.
    package func remove(_ name: String, dimensions: [(String, String)]) {
        state.withLock { state in
            guard let owner = state.owners[name] else { return }
            state.families[owner]?.remove(dimensions)
        }
    }

    /// The names that were requested and got a detached handle, sorted; at most 100.
    package var refusedNames: [String] {
        state.withLock { $0.refused }.sorted()
    }

    /// Returns all metrics as text: families by name, series in order of creation.
    ///
    /// Families without a series are omitted.
    ///
    /// - Returns: The body of the response to a scrape.
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
    /// Returns the existing or new instrument; `nil` if the request is refused.
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

/// A request for a series.
struct MetricRequest: Sendable {
    let kind: MetricFamily.Kind
    let name: String
    let help: String
    let unit: String
    let dimensions: [(String, String)]
    var bounds: [Double] = []

    /// The name without the suffix of its samples.
    var familyName: String {
        kind == .counter && name.hasSuffix("_total") ? String(name.dropLast("_total".utf8.count)) : name
    }

    /// Whether the format allows these names.
    var isWritable: Bool {
        let labels = dimensions.map(\.0)
        return MetricName.isFamilyName(familyName) && labels.allSatisfy(MetricName.isLabelName)
            && Set(labels).count == labels.count && !(kind == .histogram && labels.contains("le"))
    }

    /// The family to create if none of this name exists.
    var family: MetricFamily {
        let shownUnit = familyName.hasSuffix("_\(unit)") && !unit.isEmpty ? unit : ""
        return MetricFamily(name: familyName, kind: kind, help: help, unit: shownUnit, bounds: bounds)
    }
}

/// The syntax of names in OpenMetrics 1.0, section 4.1 and the grammar of section 5.
enum MetricName {
    /// Returns whether a name is valid for a family.
    static func isFamilyName(_ name: String) -> Bool {
        matches(name) { $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ":") }
    }

    /// Returns whether a name is valid for a dimension; two leading underscores are reserved for the format.
    static func isLabelName(_ name: String) -> Bool {
        !name.hasPrefix("__") && matches(name) { $0 == UInt8(ascii: "_") }
    }

    private static func matches(_ name: String, _ isAllowedSign: (UInt8) -> Bool) -> Bool {
        guard let first = name.utf8.first, !isDigit(first) else { return false }
        return name.utf8.allSatisfy { byte in
            isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || isAllowedSign(byte)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}

/// A text format that scrapers read.
package enum MetricsFormat: Sendable, CaseIterable {
    /// OpenMetrics 1.0 (https://prometheus.io/docs/specs/om/open_metrics_spec/).
    case openMetrics
    /// The Prometheus text format, version 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/), for tools
    /// that request no format.
    case prometheus

    /// Chooses the format of the response to a scrape.
    ///
    /// - Parameter accept: The request's `Accept` header. Scrapers that support OpenMetrics name it there.
    package init(accept: String?) {
        self = accept?.lowercased().contains("application/openmetrics-text") == true ? .openMetrics : .prometheus
    }

    /// The media type of the response.
    package var contentType: String {
        switch self {
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
        }
    }
}
