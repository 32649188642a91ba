/// Returns a suggestion for an unknown word.
///
/// - Parameters:
///   - word: The word as given.
///   - candidates: The known words; the first of equally near ones wins.
/// - Returns: The nearest candidate by edit distance if at most a third of the letters differ, otherwise the only candidate
///   that starts with the word, otherwise `nil`.
package func suggestion(for word: String, among candidates: [String]) -> String? {
    let limit = max(1, word.filter { $0 != "-" }.count / 3)
    let nearest = candidates.map { (candidate: $0, distance: editDistance(from: word, to: $0)) }
        .min { $0.distance < $1.distance }
    if let nearest, nearest.distance <= limit { return nearest.candidate }
    let extended = candidates.filter { $0.hasPrefix(word) }
    return extended.count == 1 && word.contains { $0 != "-" } ? extended.first : nil
}

/// Counts the letters to insert, delete, replace or swap with a neighbour (optimal string alignment).
private func editDistance(from first: String, to second: String) -> Int {
    let first = Array(first.lowercased())
    let second = Array(second.lowercased())
    var beforePrevious: [Int] = []
    var previous = Array(0...second.count)
    for row in first.indices {
        var current = [row + 1]
        for column in second.indices {
            let replaced = previous[column] + (first[row] == second[column] ? 0 : 1)
            var distance = min(replaced, previous[column + 1] + 1, current[column] + 1)
            if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                distance = min(distance, beforePrevious[column - 1] + 1)
            }
            current.append(distance)
        }
        (beforePrevious, previous) = (previous, current)
    }
    return previous[second.count]
}
