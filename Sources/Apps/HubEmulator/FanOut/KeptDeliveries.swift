/// Deliveries in their order, in pieces: a copy costs next to nothing, and what changes afterwards copies a piece.
///
/// So whoever looks through all of them takes a copy, and the hub goes on meanwhile.
struct KeptDeliveries {
    private static let pieceSize = 512

    /// All full but the last; what has gone from the first is nothing.
    private var pieces: [[Delivery?]] = []
    /// How many have gone from the first.
    private var gone = 0
    private(set) var count = 0
    /// The sequence number given last.
    private(set) var last: Int64 = 0

    /// Takes one in and numbers it.
    mutating func append(_ delivery: Delivery) {
        last += 1
        var delivery = delivery
        delivery.sequence = last
        if pieces.last.map({ $0.count == Self.pieceSize }) ?? true {
            var piece: [Delivery?] = []
            piece.reserveCapacity(Self.pieceSize)
            pieces.append(piece)
        }
        pieces[pieces.count - 1].append(delivery)
        count += 1
    }

    mutating func removeOldest() -> Delivery? {
        guard count > 0, let delivery = pieces[0][gone] else { return nil }
        pieces[0][gone] = nil
        gone += 1
        count -= 1
        if gone == pieces[0].count {
            pieces.removeFirst()
            gone = 0
        }
        return delivery
    }

    /// Numbers go on.
    mutating func removeAll() {
        pieces = []
        gone = 0
        count = 0
    }

    /// Those after a sequence number that are wanted, the oldest first.
    func deliveries(after sequence: Int64, limit: Int, where isWanted: (Delivery) -> Bool) -> [Delivery] {
        // Whoever asks may name any number: from here on it is below the last one, and nothing can overflow.
        guard sequence < last else { return [] }
        let first = last - Int64(count) + 1
        let skipped = Int(clamping: max(0, max(sequence, 0) + 1 - first))
        var found: [Delivery] = []
        var index = gone + skipped
        while index < gone + count, found.count < limit {
            if let delivery = pieces[index / Self.pieceSize][index % Self.pieceSize], isWanted(delivery) {
                found.append(delivery)
            }
            index += 1
        }
        return found
    }
}
