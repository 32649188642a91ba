package import Publishing

/// Someone who follows what a worker does, such as the demo's screen.
package protocol WorkerAudience: Sendable {
    /// Hears of one thing.
    ///
    /// Called on the publishing thread, which sends nothing meanwhile: return at once.
    ///
    /// - Parameter report: What happened.
    func heard(_ report: PublishingReport)
}
