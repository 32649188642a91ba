/// How well each offered language would do for the readers of each, worked out once: most events are written in languages that
/// are offered by the very name.
struct LocaleRanks: Sendable {
    /// For each wanted language the rank of each given one, 0 for the best; `nil` where it is no form of it.
    private let ranks: [[Int?]]

    init(_ offered: [LocaleFallback]) {
        ranks = offered.map { wanted in
            var ranks = [Int?](repeating: nil, count: offered.count)
            var left = Array(offered.indices)
            // Who is chosen among some is chosen among fewer, too.
            while let best = wanted.choose(among: left.map { offered[$0].key }) {
                ranks[left.remove(at: best)] = offered.count - left.count - 1
            }
            return ranks
        }
    }

    /// Chooses among offered languages as ``LocaleFallback/choose(among:)`` does.
    ///
    /// - Parameters:
    ///   - wanted: The place of the readers' language among those offered.
    ///   - given: The places of the languages that there are.
    /// - Returns: Which of them, counted in `given`; `nil` where none is in a form of the wanted language.
    func choose(for wanted: Int, among given: some Sequence<Int>) -> Int? {
        var best: (rank: Int, index: Int)?
        for (index, place) in given.enumerated() {
            guard let rank = ranks[wanted][place], best.map({ rank < $0.rank }) ?? true else { continue }
            best = (rank, index)
        }
        return best?.index
    }
}
