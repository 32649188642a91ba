public import Timestamps

/// Reads the `Retry-After` header (RFC 9110, section 10.2.3).
public enum RetryAfter {
    /// The pause that a server asks for.
    ///
    /// - Parameters:
    ///   - value: Whole seconds, or a date of HTTP.
    ///   - now: The instant from which a date counts.
    /// - Returns: Zero for a date in the past; `nil` for anything that is neither form.
    public static func pause(_ value: String, now: Timestamp) -> Duration? {
        if !value.isEmpty, value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            return .seconds(min(Int64(value) ?? .max, 10 * 365 * 86_400))
        }
        guard let date = Timestamp(httpDate: value) else { return nil }
        return max(.zero, date - now)
    }
}
