import NewsflashEvents
import NewsflashPublishing
import NewsflashTimestamps
package import NewsflashWorker

/// The expected result of sending a dead letter again now.
package struct RedriveForecast {
    private let forecast: EventForecast

    /// Forecasts a dead letter by itself: an event that was sent before it must not make it appear as a duplicate, because the
    /// worker would send it.
    package init(of body: DeadLetterBody, by configuration: WorkerConfiguration) {
        var forecaster = EventForecaster(configuration, now: .now())
        forecast = forecaster.forecast(body.rehearsed)
    }

    /// Whether it would become a dead letter again.
    ///
    /// The forecast does not know the story. A correction, hold or kill without a category of its own may have its audiences
    /// from there.
    var failsAgain: Bool {
        guard forecast.presently?.isDeadLetter ?? forecast.isInvalid else { return false }
        let kind = forecast.kind.flatMap(EventKind.init(rawValue:))
        let hasStory = [.correction, .hold, .kill].contains(kind)
        return label != "invalid.unmapped" || !hasStory
    }

    /// The word or code used for counting: `sent`, or the reason for not sending.
    package var label: String {
        if let presently = forecast.presently { return presently.reason ?? presently.outcome.rawValue }
        switch forecast.decision {
        case .send: return "sent"
        case .end(let verdict): return verdict.reason ?? verdict.outcome.rawValue
        }
    }

    /// The forecast as text. It ignores the facts of the story, which may change the result.
    package var lines: [String] {
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
