import Publishing
import StrictJSON
import Timestamps

extension ReloadState {
    /// The member `rules` of the status.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("digest", rules.digest)
        writer.member("since", since.rfc3339)
        writer.name("lastReload")
        if let last { writer.result(last) } else { writer.null() }
        writer.endObject()
        return writer.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func result(_ result: ReloadResult) {
        beginObject()
        member("result", result.kind.rawValue)
        member("at", result.at.rfc3339)
        member("by", result.by)
        member("reason", result.reason)
        if let digest = result.digest { member("digest", digest) }
        member("detail", result.detail)
        member("problems", result.problems)
        if let tally = result.tally { self.tally(tally) }
        endObject()
    }

    /// The members of a comparison, in the current object.
    private mutating func tally(_ tally: CanaryTally) {
        member("events", Int64(tally.compared))
        member("of", Int64(tally.terms.events))
        member("announced", CanaryTerms.kinds.filter(tally.terms.announced.contains).map(\.rawValue))
        name("differences")
        beginObject()
        for kind in PlanDifference.Kind.allCases {
            name(kind.rawValue)
            value(tally.counts[kind] ?? 0)
        }
        endObject()
        name("differing")
        beginArray()
        for event in tally.differing {
            beginObject()
            member("event", event.event)
            member("difference", event.kind.rawValue)
            endObject()
        }
        endArray()
    }
}
