/// Who publishes breaking-news events that someone writes in the console: the way through Kafka and a worker.
package protocol NewsDesk: Sendable {
    /// What it offers.
    var facts: NewsroomFacts { get }

    /// Publishes an event.
    ///
    /// - Parameter event: A breaking-news event, version 1, as JSON.
    /// - Returns: Why it was not taken; nothing once the broker has it.
    func publish(_ event: [UInt8]) async -> String?
}
