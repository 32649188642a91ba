import NewsflashStrictJSON
import NotificationHubs

/// Writes faults in the form that ``FaultReader`` parses.
struct FaultWriter {
    private var writer: JSONWriter

    /// Writes an array of all faults, delivery faults last.
    static func write(_ faults: FaultSet, to writer: inout JSONWriter) {
        var own = FaultWriter(writer: writer)
        own.writer.beginArray()
        for fault in faults.requests { own.write(fault) }
        for fault in faults.deliveries { own.write(fault) }
        own.writer.endArray()
        writer = own.writer
    }

    private mutating func write(_ fault: Fault) {
        writer.beginObject()
        member("status", fault.status) { $0.value($1) }
        if fault.status == 401, fault.tokenError != .signature {
            member("error", fault.tokenError.rawValue) { $0.value($1) }
        }
        member("retryAfter", fault.retryAfter) { Self.write($1, to: &$0) }
        member("cut", fault.cut) { $0.value($1.rawValue) }
        if fault.latency != .none { member("latency", fault.latency) { Self.write($1, to: &$0) } }
        // The value of `cut` determines whether the request takes effect.
        if fault.isAccepted, fault.cut == nil { member("accepted", true) { $0.value($1) } }
        member("throttle", fault.throttle) { writer, rate in
            // Integers without a fraction: 50, not 50.0.
            if let whole = Int64(exactly: rate) { writer.value(whole) } else { writer.value(rate) }
        }
        member("operations", fault.scope.operations) { Self.write($1.map(\.rawValue).sorted(), to: &$0) }
        member("requests", fault.scope.requests) { Self.write($1.map(\.text), to: &$0) }
        member("containing", fault.scope.containing) { $0.value($1) }
        if fault.rate < 1 { member("rate", fault.rate) { $0.value($1) } }
        member("count", fault.remaining) { $0.value($1) }
        if fault.window.delay > .zero { member("after", fault.window.delay) { $0.value(Self.text($1)) } }
        member("for", fault.window.length) { $0.value(Self.text($1)) }
        member("every", fault.window.period) { $0.value(Self.text($1)) }
        writer.endObject()
    }

    private mutating func write(_ fault: DeliveryFault) {
        writer.beginObject()
        member("outcome", fault.outcome) { $0.value($1) }
        if fault.rate < 1 { member("rate", fault.rate) { $0.value($1) } }
        member("platform", fault.platform) { $0.value($1.rawValue) }
        member("handle", fault.handle) { $0.value($1) }
        writer.endObject()
    }

    private mutating func member<Value>(_ name: String, _ value: Value?, _ write: (inout JSONWriter, Value) -> Void) {
        guard let value else { return }
        writer.name(name)
        write(&writer, value)
    }

    private static func write(_ texts: [String], to writer: inout JSONWriter) {
        writer.beginArray()
        for text in texts { writer.value(text) }
        writer.endArray()
    }

    private static func write(_ retryAfter: Fault.RetryAfter, to writer: inout JSONWriter) {
        switch retryAfter {
        case .seconds(let seconds): writer.value(seconds)
        case .date(let secondsAhead):
            writer.beginObject()
            writer.member("date", secondsAhead)
            writer.endObject()
        }
    }

    private static func write(_ latency: FaultLatency, to writer: inout JSONWriter) {
        switch latency {
        case .fixed(let duration): writer.value(text(duration))
        case .percentiles(let p50, let p99):
            writer.beginObject()
            writer.member("p50", text(p50))
            writer.member("p99", text(p99))
            writer.endObject()
        }
    }

    /// The duration in the largest unit in which it is a whole number: `2m`, `90s`, `1500ms`.
    private static func text(_ duration: Duration) -> String {
        let milliseconds = max(1, Int64(duration / .milliseconds(1)))
        for (unit, length) in [("h", Int64(3_600_000)), ("m", 60_000), ("s", 1000)]
        where milliseconds.isMultiple(of: length) {
            return "\(milliseconds / length)\(unit)"
        }
        return "\(milliseconds)ms"
    }
}
