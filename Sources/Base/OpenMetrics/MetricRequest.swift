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
