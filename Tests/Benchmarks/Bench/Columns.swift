/// Formatting of figures in columns.
extension Double {
    /// Formats the number with a fixed number of decimal places.
    func fixed(_ places: Int) -> String {
        let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
        let rounded = Int64((self * scale).rounded())
        guard places > 0 else { return "\(rounded)" }
        let whole = rounded / Int64(scale)
        let rest = String(rounded.magnitude % UInt64(scale))
        return "\(whole)." + String(repeating: "0", count: places - rest.utf8.count) + rest
    }

    /// Rounds to a number of decimal places.
    func rounded(places: Int) -> Double {
        let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
        return (self * scale).rounded() / scale
    }
}

extension String {
    func leftPadded(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}

extension Duration {
    /// The duration in microseconds.
    var inMicroseconds: Double { Double(components.seconds) * 1e6 + Double(components.attoseconds) / 1e12 }
}
