import Publishing
import Worker

extension Benchmark {
    /// The ledger's records, and the table of its stories.
    static var ledger: [Benchmark] {
        [
            each("ledger.encode", of: { try $0.stories() }) { _ in
                { blackHole(LedgerRecordCodec.encode($0.record, of: $0.name)) }
            },
            each("ledger.decode", of: { try $0.stories().map { LedgerRecordCodec.encode($0.record, of: $0.name) } }) {
                _ in
                { blackHole(try LedgerRecordCodec.decode($0.span)) }
            },
            // Every second story is known, as the events of the workload are.
            each("ledger.lookup", of: { try $0.stories().flatMap { [$0.name, $0.name + "-new"] } }) { workload in
                let table = try workload.table()
                return { blackHole(table.entry(of: $0)) }
            },
            Benchmark(name: "ledger.insert") { workload in
                var table = try workload.table()
                let stories = try workload.stories()
                // Names as long as those of the first.
                var names = (1...2).flatMap { life in stories.map { String($0.name.dropLast()) + ["a", "b"][life - 1] }
                }[
                    ...
                ]
                return { iterations in
                    guard iterations <= names.count else { throw BenchmarkError("each story is new: give more INPUTS") }
                    for (index, name) in names.prefix(iterations).enumerated() {
                        table.set(stories[index % stories.count].record, of: name, place: Int64(index))
                    }
                    names = names.dropFirst(iterations)
                    blackHole(table.count)
                }
            },
        ]
    }
}

extension Workload {
    /// A story's record after its event has ended, for each event.
    fileprivate func stories() throws -> [(name: String, record: StoryFacts)] {
        let stories = try orders().writes.compactMap { order in
            order.ledger.flatMap { write in write.record.map { (name: write.story, record: $0) } }
        }
        guard stories.count == count else { throw BenchmarkError("\(stories.count) stories of \(count) events") }
        return stories
    }

    /// A table with all stories.
    fileprivate func table() throws -> StoryLedgerTable {
        var table = StoryLedgerTable(byteLimit: configuration.core.storyMemoryBytes)
        for (place, story) in try stories().enumerated() {
            table.set(story.record, of: story.name, place: Int64(place))
        }
        return table
    }
}
