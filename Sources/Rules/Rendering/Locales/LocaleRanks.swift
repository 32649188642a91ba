/// The rank of each offered language for the subscribers of each one, computed once: most events are written in languages
/// that are offered by exactly their names.
struct LocaleRanks: Sendable {
    /// For each wanted language the rank of each available one, 0 for the best; `nil` if it is not a form of the wanted
    /// language.
    private let ranks: [[Int?]]

    init(_ offered: [LocaleFallback]) {
        ranks = offered.map { wanted in
            var ranks = [Int?](repeating: nil, count: offered.count)
            var left = Array(offered.indices)
            // The choice among some languages is also the choice among fewer of them.
            while let best = wanted.choose(among: left.map { offered[$0].key }) {
                ranks[left.remove(at: best)] = offered.count - left.count - 1
            }
            return ranks
        }
    }

    /// Chooses among offered languages as ``LocaleFallback/choose(among:)`` does.
    ///
    /// - Parameters:
    ///   - wanted: The index of the wanted language among those offered.
    ///   - given: The indices of the available languages among those offered.
    /// - Returns: The position of the chosen one in `given`; `nil` if none is a form of the wanted language.
    func choose(for wanted: Int, among given: some Sequence<Int>) -> Int? {
        var best: (rank: Int, index: Int)?
        for (index, place) in given.enumerated() {
            guard let rank = ranks[wanted][place], best.map({ rank < $0.rank }) ?? true else { continue }
            best = (rank, index)
        }
        return best?.index
    }
}
