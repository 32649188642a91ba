import Locks

/// Counts the responses that a fault delays and limits their number, so that some connections always remain free. Otherwise
/// nobody could end the fault.
final class DelayedAnswers: Sendable {
    /// The number of connections kept free for inspecting the hub.
    private static let placesKept = 16

    private let count = Locked(0)

    /// A reserved connection; released when the object is deallocated.
    final class Place: Sendable {
        private let answers: DelayedAnswers

        fileprivate init(_ answers: DelayedAnswers) {
            self.answers = answers
        }

        deinit {
            answers.count.withLock { $0 -= 1 }
        }
    }

    /// Reserves a connection for a delayed response.
    ///
    /// - Parameter connections: The server's limit. With fewer than 32, half of them are kept free.
    /// - Returns: `nil` if all are in use.
    func reserveConnection(of connections: Int) -> Place? {
        let places = connections - min(Self.placesKept, connections / 2)
        let isReserved = count.withLock { count in
            guard count < places else { return false }
            count += 1
            return true
        }
        return isReserved ? Place(self) : nil
    }
}
