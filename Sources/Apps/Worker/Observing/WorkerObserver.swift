package import Publishing

/// Someone who follows what a worker does, such as the demo's screen.
package protocol WorkerObserver: Sendable {
    /// Hears of one thing.
    ///
    /// Called on the publishing thread, which decides nothing meanwhile: return at once.
    ///
    /// - Parameter report: What happened.
    func heard(_ report: PublishingReport)

    /// Hears that the outcomes of so many events are confirmed, on the same thread.
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
