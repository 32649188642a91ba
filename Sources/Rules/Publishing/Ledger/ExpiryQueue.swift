/// A binary heap of entries by the time of their last change, in which each entry knows its place.
struct ExpiryQueue: Sendable {
    private var heap: [UInt32] = []

    /// What is allocated.
    var byteCount: Int { heap.capacity * MemoryLayout<UInt32>.stride }

    /// The entry that changed before all others.
    var oldest: Int? { heap.first.map { Int($0) } }

    /// Puts a new entry in.
    mutating func insert(_ index: Int, _ entries: inout [StoryEntry]) {
        heap.growGently()
        heap.append(UInt32(index))
        rise(heap.count - 1, &entries)
    }

    /// Puts an entry in its new place, after its time has changed.
    mutating func update(_ index: Int, _ entries: inout [StoryEntry]) {
        let rank = Int(entries[index].rank)
        rise(rank, &entries)
        sink(Int(entries[index].rank), &entries)
    }

    /// Takes an entry out.
    mutating func remove(_ index: Int, _ entries: inout [StoryEntry]) {
        let rank = Int(entries[index].rank)
        let last = heap.removeLast()
        guard rank < heap.count else { return }
        heap[rank] = last
        entries[Int(last)].rank = UInt32(rank)
        update(Int(last), &entries)
    }

    private mutating func rise(_ start: Int, _ entries: inout [StoryEntry]) {
        var rank = start
        let index = heap[start]
        let seconds = entries[Int(index)].seconds
        while rank > 0 {
            let parent = heap[(rank - 1) / 2]
            guard seconds < entries[Int(parent)].seconds else { break }
            put(parent, at: rank, &entries)
            rank = (rank - 1) / 2
        }
        put(index, at: rank, &entries)
    }

    private mutating func sink(_ start: Int, _ entries: inout [StoryEntry]) {
        var rank = start
        let index = heap[start]
        let seconds = entries[Int(index)].seconds
        while true {
            var child = 2 * rank + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, entries[Int(heap[child + 1])].seconds < entries[Int(heap[child])].seconds {
                child += 1
            }
            guard entries[Int(heap[child])].seconds < seconds else { break }
            put(heap[child], at: rank, &entries)
            rank = child
        }
        put(index, at: rank, &entries)
    }

    private mutating func put(_ index: UInt32, at rank: Int, _ entries: inout [StoryEntry]) {
        heap[rank] = index
        entries[Int(index)].rank = UInt32(rank)
    }
}

extension Array {
    /// Makes room for one more, a quarter at a time: an array by itself would double.
    mutating func growGently() {
        guard count == capacity else { return }
        reserveCapacity(Swift.max(16, count + count / 4))
    }
}
