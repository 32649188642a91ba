/// The stories that the worker remembers, bounded: the one untouched for longest goes first.
package struct StoryTable: Sendable {
    private struct Entry {
        var state: StoryState
        var partition: SourcePartition
        var touch: UInt64
    }

    /// How many stories are kept at most.
    package let capacity: Int
    private var entries: [String: Entry] = [:]
    /// Stories in the order of their touches; an entry counts only if its touch is the story's latest.
    private var touches: RingQueue<(story: String, touch: UInt64)> = RingQueue()
    private var touch: UInt64 = 0

    package init(capacity: Int = 50_000) {
        self.capacity = capacity
    }

    package var count: Int { entries.count }

    package subscript(story: String) -> StoryState? { entries[story]?.state }

    /// Puts a story's state in place.
    package mutating func set(_ state: StoryState, for story: String, in partition: SourcePartition) {
        touch += 1
        entries[story] = Entry(state: state, partition: partition, touch: touch)
        touches.append((story, touch))
        while entries.count > capacity || touches.count > 2 * capacity + 64, let oldest = touches.popFirst() {
            guard entries[oldest.story]?.touch == oldest.touch else { continue }
            entries[oldest.story] = nil
        }
    }

    /// Changes a story's state if it is known.
    package mutating func update(_ story: String, _ change: (inout StoryState) -> Void) {
        // In its place: taking it out and putting it back would hash and move it twice.
        guard let index = entries.index(forKey: story) else { return }
        change(&entries.values[index].state)
    }

    /// Forgets the stories of partitions that left: another worker knows more of them from now on.
    package mutating func forget(_ partitions: Set<SourcePartition>) {
        entries = entries.filter { !partitions.contains($0.value.partition) }
    }
}
