import NewsflashKafka
import NewsflashPublishing
import NewsflashTimestamps

/// The content of the control topic as a worker reads it: first the whole history, of which only the commands in force take
/// effect, then each new command.
///
/// The history is not reported. A pause that was ended long ago has no effect.
struct ControlLog: Sendable {
    /// An effect of a record of the topic, or of the end of its history.
    enum Effect: Sendable, Equatable {
        case controlled(ControlChange)
        case logLevel(LogLevelOrder)
        case reload(ReloadOrder)
        case ignored(IgnoredRecord)
    }

    /// A record that is ignored.
    struct IgnoredRecord: Sendable, Equatable {
        enum Cause: Sendable, Equatable {
            case unreadable(String)
            /// A command of a newer version.
            case unknown(act: String)
        }

        var cause: Cause
        var key: String
        var offset: Int64
    }

    /// The progress of reading the history; `nil` after it.
    private var catchUp: OrderCatchUp? = OrderCatchUp()
    private var pauses = SourcePauses()
    private var logLevel: LogLevelOrder?
    /// Ignored records by key. The topic is compacted, so only the latest record of a key counts.
    private var ignoredRecords: [String: IgnoredRecord] = [:]

    /// Whether the whole history is read.
    var isFollowing: Bool { catchUp == nil }

    /// Restarts at the first record of the topic: its whole content is history.
    mutating func begin() { self = ControlLog() }

    /// Records the topic's ends at the start. Commands after them are new.
    mutating func learn(_ ends: KafkaWatermarks) -> [Effect] {
        catchUp?.learn(ends)
        return endOfHistory()
    }

    /// Receives one record, in the order of offsets.
    ///
    /// - Parameters:
    ///   - key: Its key.
    ///   - value: Its value; `nil` for a tombstone.
    ///   - offset: Its offset.
    ///   - at: The time when it was written.
    /// - Returns: Its effects, in order.
    mutating func receive(key: [UInt8]?, value: [UInt8]?, at offset: Int64, written at: Timestamp) -> [Effect] {
        // The first record after the known end is new.
        catchUp?.reach(offset)
        let before = endOfHistory()
        let name = key.map { String(decoding: $0, as: UTF8.self) } ?? ""
        ignoredRecords[name] = nil
        var effects: [Effect] = []
        do throws(ControlRecordError) {
            effects = self.effects(
                of: try ControlOrderCodec.decode(key: key, value: value, at: at),
                at: offset,
                key: name
            )
        } catch {
            effects = ignore(IgnoredRecord(cause: .unreadable(error.description), key: name, offset: offset))
        }
        catchUp?.reach(offset + 1)
        return before + effects + endOfHistory()
    }

    /// Ends the history at the end of the topic.
    mutating func reachEnd() -> [Effect] {
        guard catchUp != nil else { return [] }
        catchUp = nil
        defer {
            pauses = SourcePauses()
            ignoredRecords = [:]
            logLevel = nil
        }
        let ignoredRecords = ignoredRecords.values.sorted { $0.offset < $1.offset }.map(Effect.ignored)
        return ignoredRecords + [.controlled(.read(pauses))] + (logLevel.map { [.logLevel($0)] } ?? [])
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
            pauses.apply(record, at: offset)
            return []
        case .logLevel(let order):
            if isFollowing { return [.logLevel(order)] }
            logLevel = order
            return []
        case .reload(let order):
            // The worker started with a configuration that is newer than the history.
            return isFollowing ? [.reload(order)] : []
        case .unknown(let act):
            return ignore(IgnoredRecord(cause: .unknown(act: act), key: key, offset: offset))
        }
    }

    private mutating func ignore(_ record: IgnoredRecord) -> [Effect] {
        guard !isFollowing else { return [.ignored(record)] }
        ignoredRecords[record.key] = record
        return []
    }
}

/// The progress of reading the control topic's history, and the end of the history.
///
/// The end offset is queried in parallel. Without a response, an empty fetch shows the end, which takes half a second.
struct OrderCatchUp: Sendable, Equatable {
    /// The offset of the next record.
    private var next: Int64 = 0
    /// The offset after the last record of the history; `nil` until it is known.
    private var end: Int64?

    /// Whether the whole history is read.
    var isOver: Bool { end.map { next >= $0 } ?? false }

    /// Records progress.
    mutating func reach(_ offset: Int64) { next = max(next, offset) }

    /// Records the topic's ends at the start.
    ///
    /// - Parameter ends: The ends. Records before the low end were deleted and are not waited for.
    mutating func learn(_ ends: KafkaWatermarks) {
        next = max(next, ends.low)
        end = ends.high
    }
}
