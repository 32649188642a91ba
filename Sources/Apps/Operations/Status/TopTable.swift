import Basics
package import Timestamps
import Worker

/// The output of `newsflash top`: the latest state of each worker, and the rate since the previous one.
package struct TopTable: Sendable {
    fileprivate struct Row {
        var snapshot: WorkerSnapshot
        /// The events that ended per second since the previous snapshot; `nil` at the first snapshot, and after a restart.
        var endsPerSecond: Double?
    }

    private var rows: [Row] = []
    private var time: Timestamp?
    private var ends: [String: (count: Double, at: Instant)] = [:]

    package init() {}

    /// The escape sequence that clears the screen and moves the cursor to its beginning.
    package static let cleared = "\u{1B}[H\u{1B}[2J"

    /// Records the next state of all workers.
    ///
    /// - Parameters:
    ///   - looks: One result for each worker.
    ///   - time: The wall-clock time, for people.
    ///   - now: The same time of the monotonic clock, for rates.
    package mutating func update(with looks: [WorkerSnapshot], at time: Timestamp, _ now: Instant) {
        self.time = time
        rows = looks.map { snapshot in
            guard case .success(let facts) = snapshot.answer, let count = facts.ends else {
                return Row(snapshot: snapshot)
            }
            defer { ends[snapshot.address] = (count, now) }
            guard let before = ends[snapshot.address], before.at < now, before.count <= count else {
                return Row(snapshot: snapshot)
            }
            return Row(snapshot: snapshot, endsPerSecond: (count - before.count) / (now - before.at).inSeconds)
        }
    }

    /// The table for a terminal.
    package var screen: [String] {
        let lag = rows.reduce(Int64(0)) { $0 &+ ($1.facts?.lagRecords ?? 0) }
        let title =
            "newsflash top, \(time?.rfc3339 ?? ""): \(counted(rows.count, "worker")), "
            + "\(rows.count { $0.snapshot.isWell }) well, lag \(counted(Int(clamping: lag), "record")); q quits"
        let table = [Self.columns] + rows.map { $0.cells.map(\.harmless) }
        let widths = Self.columns.indices.map { column in table.map { $0[column].count }.max() ?? 0 }
        return [title, ""]
            + table.map { cells in
                zip(cells, widths).enumerated().map { place, cell in
                    // Words are aligned to the left, numbers to the right.
                    let blanks = String(repeating: " ", count: cell.1 - cell.0.count)
                    return place < 2 ? cell.0 + blanks : blanks + cell.0
                }.joined(separator: "  ")
            }
            + rows.flatMap(\.remarks).map(\.harmless)
    }

    /// The output for files and pipes: a line for each worker.
    package var lines: [String] {
        rows.map { row in
            let cells = zip(Self.columns, row.cells).dropFirst(2).map { "\($0.lowercased())=\($1)" }
            return ([time?.rfc3339 ?? "", row.snapshot.address, row.cells[1].replacing(" ", with: "_")] + cells)
                .joined(separator: " ").harmless
        }
    }

    private static let columns = [
        "WORKER", "STATE", "PARTITIONS", "LAG", "OLDEST", "EXPRESS", "NORMAL", "RETRY", "WAITING", "ENDED/S",
    ]
}

extension TopTable.Row {
    fileprivate var facts: WorkerFacts? {
        if case .success(let facts) = snapshot.answer { facts } else { nil }
    }

    /// The texts of the columns.
    fileprivate var cells: [String] {
        guard let facts else { return [snapshot.address, "no answer"] + Array(repeating: "-", count: 8) }
        let lanes = ["express", "normal", "retry"].map { lane in
            "\(facts.count("lanes", lane, "waiting"))+\(facts.count("lanes", lane, "inFlight"))"
        }
        let rate = endsPerSecond?.inShort ?? "-"
        let oldest = facts.lagSeconds.asDuration.inWords.replacing(" ", with: "")
        return [
            snapshot.address, facts.state, "\(facts.partitions.count)", "\(facts.lagRecords)", oldest,
        ] + lanes + ["\(facts.count("events", "waiting"))", rate]
    }

    /// The reasons why a worker does not answer or is not ready.
    fileprivate var remarks: [String] {
        switch snapshot.answer {
        case .failure(let silence): ["", "\(snapshot.address): \(silence.why)"]
        case .success(let facts) where facts.isReady: []
        case .success(let facts): [""] + facts.reasons.map { "\(snapshot.address): \($0)" }
        }
    }
}
