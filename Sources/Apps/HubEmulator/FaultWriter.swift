import StrictJSON

/// Writes faults in the form that ``FaultReader`` reads.
enum FaultWriter {
    static func write(_ fault: Fault, to writer: inout JSONWriter) {
        writer.beginObject()
        if let status = fault.status {
            writer.name("status")
            writer.value(status)
        }
        switch fault.retryAfter {
        case .seconds(let seconds):
            writer.name("retryAfter")
            writer.value(seconds)
        case .date(let secondsAhead):
            writer.name("retryAfter")
            writer.beginObject()
            writer.name("date")
            writer.value(secondsAhead)
            writer.endObject()
        case nil: break
        }
        if fault.isCut {
            writer.name("cut")
            writer.value(true)
        }
        if fault.latency > .zero {
            writer.name("latency")
            writer.value(milliseconds(fault.latency))
        }
        if fault.isAccepted {
            writer.name("accepted")
            writer.value(true)
        }
        if let containing = fault.containing {
            writer.name("containing")
            writer.value(containing)
        }
        if fault.rate < 1 {
            writer.name("rate")
            writer.value(fault.rate)
        }
        if let remaining = fault.remaining {
            writer.name("count")
            writer.value(remaining)
        }
        if let lasting = fault.lasting {
            writer.name("for")
            writer.value(milliseconds(lasting))
        }
        writer.endObject()
    }

    private static func milliseconds(_ duration: Duration) -> String {
        "\(duration / .milliseconds(1) < 1 ? 1 : Int64(duration / .milliseconds(1)))ms"
    }
}
