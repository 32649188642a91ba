/// Publishes news events that are written in the console: through Kafka and a worker.
package protocol NewsPublisher: Sendable {
    /// The features of the newsroom.
    var facts: NewsroomFacts { get }

    /// Publishes an event.
    ///
    /// - Parameter event: A breaking-news event, version 1, as JSON.
    /// - Returns: The reason if the event was rejected; `nil` after the broker has confirmed it.
    func publish(_ event: [UInt8]) async -> String?
}
