import Publishing

/// What a letter would become if it were sent again now.
struct RedriveForecast {
    private let forecast: EventForecast

    init(_ forecast: EventForecast) {
        self.forecast = forecast
    }

    /// One word or code for counts: `sent`, or the reason why not.
    var label: String {
        if let presently = forecast.presently { return presently.reason ?? presently.outcome.rawValue }
        switch forecast.decision {
        case .send: return "sent"
        case .end(let verdict): return verdict.reason ?? verdict.outcome.rawValue
        }
    }

    /// The forecast for people. What its story remembers may still end it in another way.
    var lines: [String] {
        var lines: [String] = []
        switch forecast.decision {
        case .send(let sends):
            lines.append("it would be sent, with \(counted(sends.count, "request")):")
            lines += sends.map { send in
                let locale = send.locale.map { " (\($0))" } ?? ""
                return "  \(send.hub), \(send.platform), \(send.expression)\(locale)"
            }
        case .end(let verdict):
            lines.append("it would not be sent: \(verdict.line)")
        }
        if let presently = forecast.presently { lines.append("but at this moment: \(presently.line)") }
        if !forecast.warnings.isEmpty { lines.append("warnings: \(forecast.warnings.joined(separator: ", "))") }
        if let remark = forecast.remark { lines.append(remark) }
        return lines
    }
}
