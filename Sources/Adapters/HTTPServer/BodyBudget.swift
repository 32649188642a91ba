/// The bytes of request bodies that a server keeps, from the head of each request to the end of its response.
///
/// A body counts with the length in its head, or with the maximum that it may have; so every started body can be received
/// completely.
struct BodyBudget: Sendable {
    /// The maximum number of bytes.
    let maximum: Int
    /// The bytes of the bodies that are kept or announced.
    private(set) var used = 0

    /// Creates an unused budget.
    ///
    /// - Parameter maximum: The maximum number of bytes.
    init(maximum: Int) {
        self.maximum = maximum
    }

    /// Reserves bytes if enough are free.
    ///
    /// - Parameter bytes: The number of bytes, not negative.
    /// - Returns: False if not enough are free.
    mutating func reserve(_ bytes: Int) -> Bool {
        guard bytes <= maximum - used else { return false }
        used += bytes
        return true
    }

    /// Releases reserved bytes.
    mutating func release(_ bytes: Int) {
        used -= bytes
    }
}
