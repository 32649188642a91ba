import NewsflashPublishing
import NewsflashWorker

extension Benchmark {
    /// The ledger's records, and the index of its stories.
    static var ledger: [Benchmark] {
        [
            each("ledger.encode", of: { try $0.stories() }) { _ in
                { blackHole(LedgerRecordCodec.encode($0.record, of: $0.name)) }
            },
            each("ledger.decode", of: { try $0.stories().map { LedgerRecordCodec.encode($0.record, of: $0.name) } }) {
                _ in
                { blackHole(try LedgerRecordCodec.decode($0.span)) }
            },
            // Every second story is known, as with the events of the workload.
            each("ledger.lookup", of: { try $0.stories().flatMap { [$0.name, $0.name + "-new"] } }) { workload in
                let index = try workload.index()
                return { blackHole(index.lookup($0)) }
            },
            Benchmark(name: "ledger.insert") { workload in
                var index = try workload.index()
                let stories = try workload.stories()
                // The names are as long as those of the stored stories.
                var names = (1...2).flatMap { life in stories.map { String($0.name.dropLast()) + ["a", "b"][life - 1] }
                }[
                    ...
                ]
                return { iterations in
                    guard iterations <= names.count else { throw BenchmarkError("each story is new: give more INPUTS") }
                    for (number, name) in names.prefix(iterations).enumerated() {
                        index.store(stories[number % stories.count].record, of: name, ledgerOffset: Int64(number))
                    }
                    names = names.dropFirst(iterations)
                    blackHole(index.count)
                }
            },
        ]
    }
}

extension Workload {
    /// A story's record after its event has ended, for each event.
    fileprivate func stories() throws -> [(name: String, record: StoryFacts)] {
        let stories = try orders().facts.compactMap { write -> (name: String, record: StoryFacts)? in
            if case .facts(let facts, let name) = write { (name, facts) } else { nil }
        }
        guard stories.count == count else { throw BenchmarkError("\(stories.count) stories of \(count) events") }
        return stories
    }

    /// An index with all stories.
    fileprivate func index() throws -> StoryIndex {
        var index = StoryIndex(byteLimit: configuration.core.storyMemoryBytes)
        for (offset, story) in try stories().enumerated() {
            index.store(story.record, of: story.name, ledgerOffset: Int64(offset))
        }
        return index
    }
}
