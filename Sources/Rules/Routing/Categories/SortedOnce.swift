extension [String] {
    /// The texts in their order, each once.
    func sortedOnce() -> [String] {
        if indices.dropFirst().allSatisfy({ self[$0 - 1] < self[$0] }) { return self }
        var sorted: [String] = []
        sorted.reserveCapacity(count)
        for text in self.sorted() where sorted.last != text { sorted.append(text) }
        return sorted
    }
}
