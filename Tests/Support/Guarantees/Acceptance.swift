package import NewsflashHubEmulator
import NewsflashStrictJSON
package import NewsflashTimestamps

/// One send that a hub accepted, as far as the checks need it.
package struct Acceptance: Sendable, Equatable {
    package var event: String
    package var story: String
    package var revision: Int64
    /// The life of the worker that sent it.
    package var worker: String
    /// The time when the hub accepted it, before it answered.
    package var time: Timestamp
    /// The label of the hub.
    package var hub: String

    package init(
        event: String,
        story: String,
        revision: Int64,
        worker: String,
        time: Timestamp,
        hub: String = Evidence.onlyHub
    ) {
        self.event = event
        self.story = story
        self.revision = revision
        self.worker = worker
        self.time = time
        self.hub = hub
    }

    /// Its event, for checks of each hub.
    var eventAtHub: AtHub { AtHub(hub: hub, name: event) }
    /// Its story, for checks of each hub.
    var storyAtHub: AtHub { AtHub(hub: hub, name: story) }
}

/// An event, a story or a worker at one hub.
struct AtHub: Hashable {
    var hub: String
    var name: String
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
    ///   - hub: The label of the hub that accepted it.
    /// - Throws: ``Unreadable`` if a property is missing.
    package init(_ record: SendRecord, by worker: String? = nil, at hub: String = Evidence.onlyHub) throws {
        let body = try JSONReader.read(record.body)
        guard
            let event = body[member: "id"]?.string, let story = body[member: "story"]?.string,
            let worker = body[member: "worker"]?.string ?? worker,
            let revision = body[member: "revision"]?.string.flatMap({ Int64($0) })
        else { throw Unreadable(body: record.text) }
        self.init(event: event, story: story, revision: revision, worker: worker, time: record.time, hub: hub)
    }
}
