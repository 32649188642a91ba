import Publishing

/// The expected result of sending a dead letter again now.
struct RedriveForecast {
    private let forecast: EventForecast

    init(_ forecast: EventForecast) {
        self.forecast = forecast
    }

    /// The word or code used for counting: `sent`, or the reason for not sending.
    var label: String {
        if let presently = forecast.presently { return presently.reason ?? presently.outcome.rawValue }
        switch forecast.decision {
        case .send: return "sent"
        case .end(let verdict): return verdict.reason ?? verdict.outcome.rawValue
        }
    }

    /// The forecast as text. It ignores the facts of the story, which may change the result.
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
        if let presently = forecast.presently { lines.append("but at the moment: \(presently.line)") }
        if !forecast.warnings.isEmpty { lines.append("warnings: \(forecast.warnings.joined(separator: ", "))") }
        if let remark = forecast.remark { lines.append(remark) }
        return lines
    }
}
