package import HubEmulator
import StrictJSON
package import Timestamps

/// One send that the hub accepted, as far as the checks need it.
package struct Acceptance: Sendable, Equatable {
    package var event: String
    package var story: String
    package var revision: Int64
    /// The life of a worker that sent it.
    package var worker: String
    /// When the hub took it, before it answered.
    package var time: Timestamp

    package init(event: String, story: String, revision: Int64, worker: String, time: Timestamp) {
        self.event = event
        self.story = story
        self.revision = revision
        self.worker = worker
        self.time = time
    }
}

extension Acceptance {
    /// A send that does not name its worker or its event.
    package struct Unreadable: Error {
        package var body: String

        package init(body: String) { self.body = body }
    }

    /// Reads a send.
    ///
    /// - Parameters:
    ///   - record: A template send.
    ///   - worker: The sender of a request that has no property `worker`.
    /// - Throws: ``Unreadable`` if a property is missing.
    package init(_ record: SendRecord, by worker: String? = nil) throws {
        let body = try JSONReader.read(record.body)
        guard
            let event = body[member: "id"]?.string, let story = body[member: "story"]?.string,
            let worker = body[member: "worker"]?.string ?? worker,
            let revision = body[member: "revision"]?.string.flatMap({ Int64($0) })
        else { throw Unreadable(body: record.text) }
        self.init(event: event, story: story, revision: revision, worker: worker, time: record.time)
    }
}
