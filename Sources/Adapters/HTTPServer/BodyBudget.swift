/// The bytes of bodies that a server holds, from the head of each request to the end of its answer.
///
/// A body counts with the length that its head announces, or with the most that it may have; so what was begun can be
/// finished.
struct BodyBudget: Sendable {
    /// How many bytes there may be.
    let maximum: Int
    /// How many there are, or will be.
    private(set) var used = 0

    /// Makes an unused budget.
    ///
    /// - Parameter maximum: In bytes.
    init(maximum: Int) {
        self.maximum = maximum
    }

    /// Takes bytes if there is room for them.
    ///
    /// - Parameter bytes: Not negative.
    /// - Returns: Whether there is.
    mutating func take(_ bytes: Int) -> Bool {
        guard bytes <= maximum - used else { return false }
        used += bytes
        return true
    }

    /// Gives bytes back that were taken.
    mutating func giveBack(_ bytes: Int) {
        used -= bytes
    }
}
