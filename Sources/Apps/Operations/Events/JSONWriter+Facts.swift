import NewsflashPublishing
package import NewsflashStrictJSON

extension JSONWriter {
    /// Writes an event and the decision on it as members of the current object.
    package mutating func facts(of forecast: EventForecast) {
        member("id", forecast.id)
        member("story", forecast.story)
        if let revision = forecast.revision { member("revision", revision) }
        member("kind", forecast.kind)
        switch forecast.decision {
        case .send:
            member("decision", "send")
        case .end(let verdict):
            member("decision", verdict.outcome.rawValue)
            member("reason", verdict.reason)
            member("detail", verdict.detail)
        }
        member("warnings", forecast.warnings)
        member("remark", forecast.remark)
        if let presently = forecast.presently { member("presently", presently.line) }
    }
}
