extension [String] {
    /// The texts in ascending order, without duplicates.
    func sortedOnce() -> [String] {
        if isSortedOnce { return self }
        let sorted = self.sorted()
        if sorted.isSortedOnce { return sorted }
        var once: [String] = []
        once.reserveCapacity(count)
        for text in sorted where once.last != text { once.append(text) }
        return once
    }

    /// Whether the texts are strictly ascending.
    private var isSortedOnce: Bool {
        var place = 1
        while place < count {
            guard self[place - 1] < self[place] else { return false }
            place += 1
        }
        return true
    }
}
