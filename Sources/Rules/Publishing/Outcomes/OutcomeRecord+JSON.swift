import NewsEvents
import Rendering
import StrictJSON
import Timestamps

extension OutcomeRecord {
    /// The value of the outcome topic's record.
    package var json: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(1024)
        appendJSON(to: &bytes)
        return bytes
    }

    /// Appends ``json`` to bytes, without an array of its own.
    ///
    /// - Parameter bytes: Where it goes.
    package func appendJSON(to bytes: inout [UInt8]) {
        var writer = JSONWriter(appendingTo: bytes)
        bytes = []
        writer.beginObject()
        writer.member("v", 1 as Int64)
        // What could not be read of an invalid record is absent.
        writer.member("event", event.isEmpty ? nil : event)
        writer.member("source", source)
        writer.member("story", story.isEmpty ? nil : story)
        writer.member("revision", revision > 0 ? revision : nil)
        writer.member("kind", kind.isEmpty ? nil : kind)
        writer.member("outcome", verdict.outcome.rawValue)
        writer.member("reason", verdict.reason)
        writer.member("detail", verdict.detail.map { $0.prefixOfUTF8(1024) })
        writer.name("final")
        writer.value(isFinal)
        if isSecure { writer.member("delivery", EventDelivery.secure.rawValue) }
        writer.member("at", at)
        writer.name("origin")
        write(origin, into: &writer)
        writer.member("config", config)
        writer.member("traceparent", traceparent)
        if let replay {
            writer.name("replay")
            write(replay, into: &writer)
        }
        if timing != Timing() {
            writer.name("timing")
            write(timing, into: &writer)
        }
        if !warnings.isEmpty {
            writer.name("warn")
            writer.beginArray()
            for warning in warnings { writer.value(warning) }
            writer.endArray()
        }
        if !targets.isEmpty {
            writer.name("targets")
            writer.beginArray()
            for target in targets { write(target, into: &writer) }
            writer.endArray()
        }
        writer.endObject()
        bytes = writer.takeBytes()
    }

    private func write(_ origin: RecordOrigin, into writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("topic", origin.partition.topic)
        writer.member("partition", Int64(origin.partition.number))
        writer.member("offset", origin.offset)
        writer.member("timestamp", origin.timestamp)
        writer.endObject()
    }

    private func write(_ replay: ReplayMark, into writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", replay.id)
        writer.member("of", replay.origin)
        writer.member("onlyTag", replay.onlyTag)
        if replay.isAgain {
            writer.name("again")
            writer.value(true)
        }
        writer.member("at", replay.at)
        writer.endObject()
    }

    private func write(_ timing: Timing, into writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("broker", timing.broker)
        writer.member("consumed", timing.consumed)
        writer.member("firstSend", timing.firstSend)
        writer.member("firstAccept", timing.firstAccept)
        writer.member("lastAccept", timing.lastAccept)
        writer.endObject()
    }

    /// `"interruption":"active","attempts":` for each level: written in one go.
    private static let interruptionAndAttempts = InterruptionLevel.allCases.map { level in
        JSONWriter.prepared(name: "interruption") + Array("\"\(level.rawValue)\",".utf8)
            + JSONWriter.prepared(name: "attempts")
    }

    private func write(_ target: Target, into writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("hub", target.hub)
        writer.member("platform", target.platform)
        writer.member("tags", target.tags)
        writer.member("locale", target.locale)
        writer.member("textFrom", target.textFrom)
        writer.member("template", target.template)
        writer.member("status", target.status.rawValue)
        writer.member("httpStatus", target.httpStatus.map(Int64.init))
        writer.member("notificationId", target.notificationID)
        writer.member("trackingId", target.trackingID)
        if let level = target.interruption {
            writer.name(prepared: Self.interruptionAndAttempts[level.place])
            writer.value(Int64(target.attempts))
        } else {
            writer.member("attempts", Int64(target.attempts))
        }
        writer.member("bytes", target.bytes.map(Int64.init))
        switch target.content {
        case .planned(let send):
            let digest = RequestDigest(of: send)
            writer.member("digest", plainAtMost: RequestDigest.length) { digest.append(to: &$0) }
        case .read(let digest): writer.member("digest", digest)
        case nil: break
        }
        if target.isTruncated {
            writer.name("truncated")
            writer.value(true)
        }
        writer.member("acceptedAt", target.acceptedAt)
        writer.member("error", target.error.map { $0.prefixOfUTF8(1024) })
        writer.endObject()
    }
}

extension JSONWriter {
    /// Writes a member, or nothing where there is no value.
    fileprivate mutating func member(_ name: StaticString, _ value: Timestamp?) {
        guard let value else { return }
        member(name, plainAtMost: Timestamp.lengthOfRFC3339) { value.appendRFC3339(to: &$0) }
    }

    /// Writes milliseconds to the microsecond, or nothing where there are none.
    fileprivate mutating func member(_ name: StaticString, _ milliseconds: Double?) {
        guard let milliseconds else { return }
        self.name(name)
        self.milliseconds(milliseconds)
    }
}

extension String {
    /// The longest beginning of whole characters that fits into so many bytes.
    package func prefixOfUTF8(_ limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: limit)
        while end > startIndex, end.samePosition(in: self) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
