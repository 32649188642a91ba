import Locks

/// Answers that a fault keeps back: never so many that all connections wait for one, since the fault could not be ended then.
final class DelayedAnswers: Sendable {
    /// How many connections are kept for whoever looks at the hub.
    private static let placesKept = 16

    private let count = Locked(0)

    /// A place, for as long as somebody holds it.
    final class Place: Sendable {
        private let answers: DelayedAnswers

        fileprivate init(_ answers: DelayedAnswers) {
            self.answers = answers
        }

        deinit {
            answers.count.withLock { $0 -= 1 }
        }
    }

    /// Takes a place.
    ///
    /// - Parameter connections: How many the server has at most. Of few, half are kept.
    /// - Returns: Nothing where all are taken.
    func take(of connections: Int) -> Place? {
        let places = connections - min(Self.placesKept, connections / 2)
        let isTaken = count.withLock { count in
            guard count < places else { return false }
            count += 1
            return true
        }
        return isTaken ? Place(self) : nil
    }
}
