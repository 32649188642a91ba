/// What was written of a payload, and where in it stands what the clock alone changes.
struct PayloadBytes {
    var bytes: [UInt8]
    /// Empty where nothing of it depends on the clock.
    var clockPart = 0..<0
}
