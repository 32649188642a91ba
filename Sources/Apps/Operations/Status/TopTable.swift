import NewsflashStrictJSON
package import NewsflashTimestamps
import NewsflashWorker

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

    /// The table for a terminal. Columns that do not fit are left out, the least important first.
    ///
    /// - Parameter style: The screen.
    /// - Returns: The lines, at least two fewer than the screen has.
    package func screen(_ style: ScreenStyle) -> [String] {
        let lag = rows.reduce(Int64(0)) { $0 &+ ($1.facts?.lagRecords ?? 0) }
        let title =
            "newsflash top, \(time.map { "\($0.rfc3339.prefix(19))Z" } ?? ""): \(counted(rows.count, "worker")), "
            + "\(rows.count { $0.snapshot.isWell }) well, lag \(counted(Int(clamping: lag), "record")); q quits"
        var table = TextTable(Self.columns)
        for row in rows { table.append(row.cells) }
        let remarks = rows.flatMap(\.remarks).flatMap { $0.lines(style) }
        let lines = title.lines(style, indent: 0) + [""] + table.lines(style) + remarks
        guard let height = style.height, height > 4, lines.count > height - 2 else { return lines }
        let shown = height - 3
        return lines.prefix(shown) + ["… \(counted(lines.count - shown, "more line"))"]
    }

    /// The screen as one text that replaces the previous one line by line, and clears what is left below.
    package func frame(_ style: ScreenStyle) -> String {
        // Each line is cleared before it is written: after a line of full width, this would erase its last character.
        "\u{1B}[H" + screen(style).map { "\u{1B}[2K\($0)\n" }.joined() + "\u{1B}[J"
    }

    /// The state of each worker as a JSON object, as lines of UTF-8.
    package var json: [[UInt8]] {
        rows.map { row in
            JSONWriter.object { writer in
                writer.member("at", time?.rfc3339)
                writer.member("admin", row.snapshot.address)
                row.write(into: &writer)
            }
        }
    }

    /// The output for files and pipes: a line for each worker.
    package var lines: [String] {
        rows.map { row in
            let texts = row.cells.map(\.text)
            let cells = zip(Self.columns, texts).dropFirst(2).map { "\($0.heading.lowercased())=\($1)" }
            return ([time?.rfc3339 ?? "", row.snapshot.address, texts[1].replacing(" ", with: "_")] + cells)
                .joined(separator: " ").harmless
        }
    }

    private static let columns: [TextTable.Column] = [
        .init("WORKER", .shortened(to: 9)), .init("STATE", .shortened(to: 8)),
        .init("PARTITIONS", .omitted(3), isNumber: true), .init("LAG", isNumber: true), .init("OLDEST", isNumber: true),
        .init("EXPRESS", .omitted(6), isNumber: true), .init("NORMAL", .omitted(2), isNumber: true),
        .init("RETRY", .omitted(1), isNumber: true), .init("WAITING", .omitted(4), isNumber: true),
        .init("ENDED/S", .omitted(5), isNumber: true),
    ]
}

extension TopTable.Row {
    fileprivate var facts: WorkerFacts? {
        if case .success(let facts) = snapshot.answer { facts } else { nil }
    }

    /// The texts of the columns.
    fileprivate var cells: [TextTable.Cell] {
        guard let facts else {
            let empty = Array(repeating: TextTable.Cell("-"), count: 8)
            return [TextTable.Cell(snapshot.address), TextTable.Cell("no answer", .bad)] + empty
        }
        let lanes = StatusDocument.lanes.map { name in
            let lane = facts.status.lane(name)
            return "\(lane.waiting)+\(lane.inFlight)"
        }
        let rate = endsPerSecond?.inShort ?? "-"
        let oldest = facts.lagSeconds.asDuration.inWords.replacing(" ", with: "")
        let numbers =
            ["\(facts.status.partitions.count)", "\(facts.lagRecords)", oldest] + lanes
            + ["\(facts.status.events("waiting"))", rate]
        let tone: ScreenStyle.Tone? = snapshot.isWell ? nil : facts.isReady ? .caution : .bad
        return [TextTable.Cell(snapshot.address), TextTable.Cell(facts.state, tone)]
            + numbers.map { TextTable.Cell($0) }
    }

    /// Writes the state as members of the current object.
    fileprivate func write(into writer: inout JSONWriter) {
        switch snapshot.answer {
        case .failure(let silence): writer.member("error", silence.why)
        case .success(let facts):
            writer.member("ready", facts.isReady)
            writer.member("state", facts.state)
            writer.member("reasons", facts.reasons)
            writer.member("partitions", Int64(facts.status.partitions.count))
            writer.name("lag")
            writer.beginObject()
            writer.member("records", facts.lagRecords)
            writer.name("seconds")
            writer.milliseconds(facts.lagSeconds)
            writer.endObject()
            writer.name("lanes")
            writer.beginObject()
            for name in StatusDocument.lanes {
                let lane = facts.status.lane(name)
                writer.name(name)
                writer.beginObject()
                writer.member("waiting", lane.waiting)
                writer.member("inFlight", lane.inFlight)
                writer.endObject()
            }
            writer.endObject()
            writer.member("waiting", facts.status.events("waiting"))
            writer.name("endedPerSecond")
            if let endsPerSecond { writer.value(endsPerSecond) } else { writer.null() }
        }
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
