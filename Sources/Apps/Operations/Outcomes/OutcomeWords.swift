import NewsflashEvents
import NewsflashPublishing

/// An outcome in plain words.
struct OutcomeWords {
    private let record: OutcomeRecord

    init(_ record: OutcomeRecord) {
        self.record = record
    }

    /// The outcome of the event, and a line for each request and each remark.
    var lines: [String] {
        var lines = [heading]
        if let detail = record.verdict.detail { lines.append(detail) }
        lines += record.targets.map(Self.line)
        if !record.warnings.isEmpty { lines.append("remarks: \(record.warnings.joined(separator: ", "))") }
        if let replay = record.replay {
            let audience = replay.onlyTag.map { ", to the tag \($0) only" } ?? ""
            lines.append("from replay \(replay.id) of the record at \(replay.origin)\(audience)")
        }
        if let trace = record.traceparent { lines.append("trace \(trace)") }
        if record.isSecure { lines.append("secure: only the id of the event was sent") }
        if record.verdict.isDeadLetter, record.isFinal {
            let look = record.event.isEmpty ? "list" : "show --event \(record.event)"
            lines.append("the original record is in the dead letters: 'newsflash dead-letters \(look)'")
        }
        return lines
    }

    private var heading: String {
        let reason = record.verdict.reason.map { " (\($0))" } ?? ""
        return Self.words(of: record) + reason
    }

    private static func words(of record: OutcomeRecord) -> String {
        let accepted = record.targets.count { $0.report.status == .accepted }
        let requests = "\(accepted) of \(counted(record.targets.count, "request")) accepted"
        if let records = record.records {
            return "LOST: \(counted(Int(clamping: records), "record")) that Kafka no longer has"
        }
        switch record.verdict.outcome {
        case .sent: return "SENT: \(requests)"
        case .partial: return "SENT IN PART: \(requests)"
        case .deferred: return "waits: \(waiting(record.verdict.reason))"
        case .held: return "waits: \(waiting(record.verdict.reason))"
        case .duplicate: return "NOT SENT: subscribers were notified before"
        case .superseded: return "NOT SENT: a newer revision or a kill of its story replaced it"
        case .suppressed: return "NOT SENT: suppressed"
        case .expired: return "NOT SENT: it had expired"
        case .shadow: return "NOT SENT: events of its mode are not sent"
        case .invalid: return "NOT SENT: the record is not a valid event"
        case .failed: return "NOT SENT: no request was accepted"
        }
    }

    private static func waiting(_ reason: String?) -> String {
        switch reason {
        case "held.embargo": "its embargo is not over"
        case "held.unconfirmed": "it needs approvals; send it again with the names of the approvers"
        case "held.source": "its source is paused; see 'newsflash pauses', then 'newsflash resume'"
        case "held.embargo_dropped":
            "it has no embargo and an earlier revision has; publish a revision with an embargo, or run 'newsflash resume "
                + "--event'"
        case "held.volume_limit": "a volume limit paused its source; see 'newsflash pauses', then 'newsflash resume'"
        case "deferred.quiet_hours": "the quiet hours of its subscribers are not over"
        default: "it is not due yet"
        }
    }

    /// One request and its response, without the text of the news.
    static func line(_ target: OutcomeRecord.Target) -> String {
        let request = target.request
        let report = target.report
        var parts = ["\(report.status.rawValue): \(request.hub), \(request.platform), \(request.tags)"]
        if let locale = request.locale {
            let from = request.textFrom.map { $0 == locale ? "" : " from \($0)" } ?? ""
            parts.append("in \(locale)\(from)")
        }
        if let status = report.httpStatus { parts.append("HTTP \(status)") }
        parts.append(counted(report.attempts, "attempt"))
        if let id = report.trackingID { parts.append("tracking id \(id)") }
        if let id = report.notificationID { parts.append("notification \(id)") }
        if request.isTruncated { parts.append("text cut to fit") }
        if let error = report.error { parts.append(error) }
        return parts.joined(separator: ", ")
    }

    /// The time after or before the publication of an event, for people, such as `20 ms after it was`.
    ///
    /// - Parameter milliseconds: Negative if clocks differ.
    /// - Returns: A phrase that the caller completes with "published".
    static func length(_ milliseconds: Double) -> String {
        let direction = milliseconds < 0 ? "before" : "after"
        return "\(readable(abs(milliseconds))) \(direction) it was"
    }

    private static func readable(_ milliseconds: Double) -> String {
        let whole = Int64(min(milliseconds.rounded(), 1e15))
        switch whole {
        case ..<10_000: return "\(whole) ms"
        case ..<120_000: return "\(whole / 1000) s"
        case ..<7_200_000: return "\(whole / 60_000) min"
        default: return "\(whole / 3_600_000) h \(whole % 3_600_000 / 60_000) min"
        }
    }
}
