/// The bytes of a payload, and the range of its time-dependent properties.
struct PayloadBytes {
    var bytes: [UInt8]
    /// Empty if nothing depends on the clock.
    var clockPart = 0..<0
}
