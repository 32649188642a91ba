public import NewsflashTimestamps

/// Decodes the `Retry-After` header (RFC 9110, section 10.2.3).
public enum RetryAfter {
    /// Returns the pause that a server requests.
    ///
    /// - Parameters:
    ///   - value: Whole seconds, or an HTTP date.
    ///   - now: The current time; a date is relative to it.
    /// - Returns: The pause, at most ten years for seconds; zero for a date in the past, `nil` for any other text.
    public static func pause(_ value: String, now: Timestamp) -> Duration? {
        if !value.isEmpty, value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            return .seconds(min(Int64(value) ?? .max, 10 * 365 * 86_400))
        }
        guard let date = Timestamp(httpDate: value) else { return nil }
        return max(.zero, date - now)
    }
}
