import NewsflashEvents
import NewsflashTimestamps
import NewsflashTopicPartitions

/// Whether flashes were sent before later events.
///
/// A flash is late at a hub if the hub accepted a later ordinary event of its partition well before it. It may be late
/// if the hub refused it at first, while workers die, join or leave, and while their group is forming, because requests
/// of a dead worker cannot be recalled.
package struct ExpressFirst: Guarantee {
    package let faults: [String]
    /// The times that flashes took from being written to each hub, in order. Excused delays do not count, and neither
    /// do flashes for a hub that was unavailable.
    package let waits: [Duration]

    /// Checks the first acceptance of each flash at each hub.
    ///
    /// - Parameter evidence: The evidence of the run.
    package init(_ evidence: Evidence) {
        let first = evidence.firstAcceptances
        // The earliest acceptance of a later record of each partition, found from the partition's end on.
        let order = evidence.places.sorted { $0.value.offset > $1.value.offset }
        var faults: [String] = []
        var waits: [Duration] = []
        for hub in evidence.hubs {
            var earliest: [TopicPartition: Acceptance] = [:]
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
