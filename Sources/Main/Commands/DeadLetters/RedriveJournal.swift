import Kafka
import Locks
import Publishing
import Timestamps
import Worker

/// The headers of a redriven record. The source topics are the only journal of redrives, so nothing can contradict them.
enum RedriveHeader {
    static let prefix = "newsflash-redrive-"
    /// The dead letter that was copied: topic, partition and offset.
    static let letter = prefix + "letter"
    /// The reason given by the person who sent it again.
    static let reason = prefix + "reason"
    /// The number of redrives; the worker copies it to the next dead letter.
    static let count = DeadLetter.headerPrefix + "redrives"
}

/// Reads from the source topics which dead letters were sent again.
struct RedriveJournal: Sendable {
    private let settings: TopicSettings

    init(_ settings: TopicSettings) {
        self.settings = settings
    }

    /// Returns the name of a dead letter in the header of its copy.
    ///
    /// - Parameter place: The position of the dead letter.
    /// - Returns: The name, such as `newsflash.dead-letters.v1/3@4711`.
    func name(of place: DeadLetterPosition) -> String { "\(settings.topics.deadLetters)/\(place)" }

    /// Returns the existing copies.
    ///
    /// - Parameter time: Records before this time are not read.
    /// - Returns: The first copy of each dead letter.
    /// - Throws: ``CommandError`` if a source cannot be read.
    func copies(since time: Timestamp) async throws(CommandError) -> [DeadLetterPosition: RedrivenCopy] {
        let topics = Set(settings.sources.map(\.topic)).sorted()
        let prefix = settings.topics.deadLetters + "/"
        let copies = Locked<[DeadLetterPosition: RedrivenCopy]>([:])
        _ = try await TopicScan(settings.kafka, topics: topics, from: .time(time), to: .present).run { messages in
            for message in messages {
                guard let name = message.headers.last(where: { $0.name == RedriveHeader.letter })?.value else {
                    continue
                }
                let text = String(decoding: name, as: UTF8.self)
                guard text.hasPrefix(prefix),
                    let place = DeadLetterPosition(argument: String(text.dropFirst(prefix.count)))
                else { continue }
                let copy = RedrivenCopy(partition: message.topicPartition, offset: message.offset)
                copies.withLock { copies in
                    if copies[place] == nil { copies[place] = copy }
                }
            }
            return true
        }
        return copies.withLock { $0 }
    }
}
