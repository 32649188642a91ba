import Kafka
import Publishing
import Timestamps

/// The control topic as a worker reads it: first its whole history, of which only what is in force has effect, then each new
/// order.
///
/// The history is not news: a hold that was released long ago is neither reported nor obeyed.
struct ControlLog: Sendable {
    /// An effect of a record of the topic, or of the end of its history.
    enum Effect: Sendable, Equatable {
        case controlled(ControlChange)
        case logLevel(LogLevelOrder)
        case reload(ReloadOrder)
        case remark(Remark)
    }

    /// A record that is not obeyed.
    struct Remark: Sendable, Equatable {
        enum Cause: Sendable, Equatable {
            case unreadable(String)
            /// An order of a newer version.
            case unknown(act: String)
        }

        var cause: Cause
        var key: String
        var offset: Int64
    }

    /// How far the history is read; `nil` once all of it is.
    private var catchUp: OrderCatchUp? = OrderCatchUp()
    private var holds = SourceHolds()
    private var logLevel: LogLevelOrder?
    /// Records that are not obeyed, by their keys: the topic is compacted, so only the latest of each key counts.
    private var remarks: [String: Remark] = [:]

    /// Whether all that the topic had is read.
    var isFollowing: Bool { catchUp == nil }

    /// Begins again with the first record of the topic: all that it has is history.
    mutating func begin() { self = ControlLog() }

    /// Takes the topic's ends at the start: orders after them are new.
    mutating func learn(_ ends: KafkaWatermarks) -> [Effect] {
        catchUp?.learn(ends)
        return endOfHistory()
    }

    /// Takes one record, in the order of offsets.
    ///
    /// - Parameters:
    ///   - key: Its key.
    ///   - value: Its value; `nil` for a tombstone.
    ///   - offset: Its offset.
    ///   - at: When it was written.
    /// - Returns: Its effects, in order.
    mutating func receive(key: [UInt8]?, value: [UInt8]?, at offset: Int64, written at: Timestamp) -> [Effect] {
        // The first record after the known end is new.
        catchUp?.reach(offset)
        let before = endOfHistory()
        let name = key.map { String(decoding: $0, as: UTF8.self) } ?? ""
        remarks[name] = nil
        var effects: [Effect] = []
        do throws(ControlRecordError) {
            effects = self.effects(
                of: try ControlOrderCodec.decode(key: key, value: value, at: at),
                at: offset,
                key: name
            )
        } catch {
            effects = remark(Remark(cause: .unreadable(error.description), key: name, offset: offset))
        }
        catchUp?.reach(offset + 1)
        return before + effects + endOfHistory()
    }

    /// Ends the history where the reader found no more records.
    mutating func reachEnd() -> [Effect] {
        guard catchUp != nil else { return [] }
        catchUp = nil
        defer {
            holds = SourceHolds()
            remarks = [:]
            logLevel = nil
        }
        let remarks = remarks.values.sorted { $0.offset < $1.offset }.map(Effect.remark)
        return remarks + [.controlled(.read(holds))] + (logLevel.map { [.logLevel($0)] } ?? [])
    }

    private mutating func endOfHistory() -> [Effect] {
        catchUp?.isOver ?? false ? reachEnd() : []
    }

    private mutating func effects(of order: ControlOrder?, at offset: Int64, key: String) -> [Effect] {
        switch order {
        case nil:
            return []
        case .source(let record):
            if isFollowing { return [.controlled(.order(record, at: offset))] }
            holds.apply(record, at: offset)
            return []
        case .logLevel(let order):
            if isFollowing { return [.logLevel(order)] }
            logLevel = order
            return []
        case .reload(let order):
            // The worker has read a configuration that is newer than the history.
            return isFollowing ? [.reload(order)] : []
        case .unknown(let act):
            return remark(Remark(cause: .unknown(act: act), key: key, offset: offset))
        }
    }

    private mutating func remark(_ remark: Remark) -> [Effect] {
        guard !isFollowing else { return [.remark(remark)] }
        remarks[remark.key] = remark
        return []
    }
}
