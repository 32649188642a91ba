import Kafka
import NewsEvents
import Timestamps

/// Whether flashes went before what was written after them.
///
/// A flash is late at a hub when an ordinary event of its partition, written after it, was accepted there well before it. It
/// may be where the hub refused the flash at first, while workers die, join or leave, and while their group is forming: what
/// the one who died had sent does not come back.
package struct ExpressFirst: Guarantee {
    package let faults: [String]
    /// How long flashes took from their writing to each hub, except those whose delay is excused and those that a hub could not
    /// accept, because it was away; in order.
    package let waits: [Duration]

    /// Looks at the first acceptance of each flash at each hub.
    ///
    /// - Parameter evidence: The evidence of the run.
    package init(_ evidence: Evidence) {
        let first = evidence.firstAcceptances
        // The earliest acceptance of a later record of each partition, found from the partition's end on.
        let order = evidence.places.sorted { $0.value.offset > $1.value.offset }
        var faults: [String] = []
        var waits: [Duration] = []
        for hub in evidence.hubs {
            var earliest: [KafkaTopicPartition: Acceptance] = [:]
            for (number, place) in order {
                let record = evidence.records[number]
                guard let acceptance = first[AtHub(hub: hub, name: record.event)], !record.isRepeat else { continue }
                let time = acceptance.time
                if record.kind == .flash, record.fault == nil, let written = evidence.written[number],
                    !Self.isExcused(from: written, to: time, evidence)
                {
                    if !evidence.isAway(hub, in: min(written, time)...time) { waits.append(time - written) }
                    if let other = earliest[place.partition], other.time + evidence.patience.express < time {
                        faults.append("\(record.event) \((time - other.time).milliseconds) after \(other.event)")
                    }
                }
                let isEarlier = earliest[place.partition].map { time < $0.time } ?? true
                if record.kind == .alert, isEarlier { earliest[place.partition] = acceptance }
            }
        }
        self.faults = faults
        self.waits = waits.sorted()
    }

    private static func isExcused(from written: Timestamp, to time: Timestamp, _ evidence: Evidence) -> Bool {
        let patience = max(evidence.patience.takeover, evidence.patience.handover)
        if let forming = evidence.forming, written < forming.upperBound, time < forming.upperBound + patience {
            return true
        }
        return evidence.disturbances.contains { $0.time < time && $0.time + patience > written }
    }

    package var figures: String {
        guard let last = waits.last else { return "no flash" }
        return
            "\(waits.count) flashes within p50 \(waits[waits.count / 2].milliseconds), p99 "
            + "\(waits[waits.count * 99 / 100].milliseconds), most \(last.milliseconds), \(faults.count) overtaken"
    }
}
