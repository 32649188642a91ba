package import NewsflashPublishing
import NewsflashStrictJSON

/// An order that was written, and the pauses in force after it.
package struct PauseResult {
    package var order: ControlRecord
    /// The orders that now pause its source or all sources.
    package var paused: [ControlRecord]
    /// The scope of the order for people.
    package var scope: String

    package init(order: ControlRecord, paused: [ControlRecord], scope: String) {
        self.order = order
        self.paused = paused
        self.scope = scope
    }

    /// Whether the order is in force for the next event.
    package var isInForce: Bool { (order.act == .pause) != paused.isEmpty }

    /// Why the order is not in force, and what to do.
    package var problem: String {
        guard let other = paused.first else {
            return
                "\(scope): not paused, because somebody resumed it after this order. See 'newsflash pauses', and "
                + "give the order again"
        }
        let remedy =
            other.scope == order.scope || order.scope.event != nil
            ? "see who paused it after this order, then resume it again"
            : other.scope == .all
                ? "resume everything with 'newsflash resume --all'"
                : "resume the whole source by its name, or everything with 'newsflash resume --all'"
        return "\(scope): still paused by the order on \(other.line()); \(remedy)"
    }

    /// The result as a JSON object.
    package func json(workers: Int?) -> [UInt8] {
        JSONWriter.object { writer in
            writer.name("order")
            writer.raw(ControlOrderCodec.encode(.source(order)))
            writer.member("inForce", isInForce)
            if let other = paused.first, order.act == .resume {
                writer.name("pausedBy")
                writer.raw(ControlOrderCodec.encode(.source(other)))
            }
            if let workers { writer.member("workers", Int64(workers)) }
        }
    }
}

extension String {
    /// The text in lower case and without slashes at the end, because these differences are easily overlooked.
    var plain: String { String(lowercased().reversed().drop { $0 == "/" }.reversed()) }
}
