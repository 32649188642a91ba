import HubEmulator
import StrictJSON
import Timestamps

/// One send that the hub accepted, as far as the checks need it.
struct Acceptance: Sendable, Equatable {
    var event: String
    var story: String
    var revision: Int64
    /// The life of a worker that sent it.
    var worker: String
    /// When the hub took it, before it answered.
    var time: Timestamp
}

extension Acceptance {
    /// A send that does not name its worker or its event.
    struct Unreadable: Error {
        var body: String
    }

    /// Reads a send.
    ///
    /// - Parameter record: A template send with a property `worker`.
    /// - Throws: ``Unreadable`` where a property is missing.
    init(_ record: SendRecord) throws {
        let body = try JSONReader.read(record.body)
        guard
            let event = body[member: "id"]?.string, let story = body[member: "story"]?.string,
            let worker = body[member: "worker"]?.string,
            let revision = body[member: "revision"]?.string.flatMap({ Int64($0) })
        else { throw Unreadable(body: record.text) }
        self.init(event: event, story: story, revision: revision, worker: worker, time: record.time)
    }
}
