import Kafka
import Locks
import Publishing
import Timestamps
import Worker

/// The headers by which a redriven record is known. The source topics are the journal of what was redriven: nothing else has
/// to be written down, so nothing can disagree with them.
enum RedriveHeader {
    static let prefix = "newsflash-redrive-"
    /// Of which letter it is a copy: topic, partition and offset.
    static let letter = prefix + "letter"
    /// Why somebody sent it again.
    static let reason = prefix + "reason"
    /// How often it was sent again; the worker hands it on to the next dead letter.
    static let count = DeadLetter.headerPrefix + "redrives"
}

/// Reads from the source topics which dead letters were sent again.
struct RedriveJournal: Sendable {
    private let settings: TopicSettings

    init(_ settings: TopicSettings) {
        self.settings = settings
    }

    /// How the letter of a copy is named in its header.
    ///
    /// - Parameter place: Where the letter lies.
    /// - Returns: Such as `newsflash.dead-letters.v1/3@4711`.
    func name(of place: LetterPlace) -> String { "\(settings.topics.deadLetters)/\(place)" }

    /// The copies that there are.
    ///
    /// - Parameter time: Nothing is looked for before it.
    /// - Returns: The first copy of each letter.
    /// - Throws: ``CommandError`` where a source cannot be read.
    func copies(since time: Timestamp) async throws(CommandError) -> [LetterPlace: RedrivenCopy] {
        let topics = Set(settings.sources.map(\.topic)).sorted()
        let prefix = settings.topics.deadLetters + "/"
        let copies = Locked<[LetterPlace: RedrivenCopy]>([:])
        _ = try await TopicScan(settings.kafka, topics: topics, from: .time(time), to: .present).run { messages in
            for message in messages {
                guard let name = message.headers.last(where: { $0.name == RedriveHeader.letter })?.value else {
                    continue
                }
                let text = String(decoding: name, as: UTF8.self)
                guard text.hasPrefix(prefix), let place = LetterPlace(argument: String(text.dropFirst(prefix.count)))
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
