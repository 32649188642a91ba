import Kafka
import NewsEvents
import Timestamps

/// Whether flashes went before what was written after them.
///
/// A flash is late when an ordinary event of its partition, written after it, was accepted well before it. It may be where the
/// hub refused the flash at first, and while workers die, join or leave: what the one who died had sent does not come back.
package struct ExpressFirst: Guarantee {
    package let faults: [String]
    /// How long flashes took from their writing to the hub, except those whose delay is excused; in order.
    package let waits: [Duration]

    /// Looks at the first acceptance of each flash.
    ///
    /// - Parameter evidence: The evidence of the run.
    package init(_ evidence: Evidence) {
        var first: [String: Timestamp] = [:]
        for acceptance in evidence.acceptances where first[acceptance.event] == nil {
            first[acceptance.event] = acceptance.time
        }
        // The earliest acceptance of a later record of each partition, found from the partition's end on.
        let order = evidence.places.sorted { $0.value.offset > $1.value.offset }
        var earliest: [KafkaTopicPartition: (time: Timestamp, event: String)] = [:]
        var faults: [String] = []
        var waits: [Duration] = []
        for (number, place) in order {
            let record = evidence.records[number]
            guard let time = first[record.event], !record.isRepeat else { continue }
            if record.kind == .flash, record.fault == nil, let written = evidence.written[number],
                !Self.isExcused(from: written, to: time, evidence)
            {
                waits.append(time - written)
                if let other = earliest[place.partition], other.time + evidence.patience.express < time {
                    faults.append("\(record.event) \((time - other.time).milliseconds) after \(other.event)")
                }
            }
            let isEarlier = earliest[place.partition].map { time < $0.time } ?? true
            if record.kind == .alert, isEarlier { earliest[place.partition] = (time, record.event) }
        }
        self.faults = faults
        self.waits = waits.sorted()
    }

    private static func isExcused(from written: Timestamp, to time: Timestamp, _ evidence: Evidence) -> Bool {
        let patience = max(evidence.patience.takeover, evidence.patience.handover)
        return evidence.disturbances.contains { $0.time < time && $0.time + patience > written }
    }

    package var figures: String {
        guard let last = waits.last else { return "no flash" }
        return
            "\(waits.count) flashes within p50 \(waits[waits.count / 2].milliseconds), p99 "
            + "\(waits[waits.count * 99 / 100].milliseconds), most \(last.milliseconds), \(faults.count) overtaken"
    }
}
