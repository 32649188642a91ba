package import Publishing

/// Observes a worker, such as the demo's screen.
package protocol WorkerObserver: Sendable {
    /// Receives a report.
    ///
    /// Called on the publishing thread, which makes no decisions meanwhile: return at once.
    ///
    /// - Parameter report: The report.
    func received(_ report: PublishingReport)

    /// Receives the number of events whose outcomes were confirmed, on the same thread.
    ///
    /// - Parameter count: At least one.
    func confirmed(_ count: Int)
}

extension WorkerObserver {
    /// Does nothing.
    ///
    /// - Parameter count: At least one.
    package func confirmed(_ count: Int) {}
}
