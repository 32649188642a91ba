import NewsflashEvents
package import NewsflashPublishing

extension WaitingEvent {
    /// The scope of an order that resumes it.
    package var scope: PauseScope {
        .event(ResumedEvent(id: event?.id ?? "", story: story, partition: partition, offset: waiting.offset))
    }
}

extension WaitingEvents {
    /// The waiting events with an identifier that a person can resume.
    ///
    /// - Parameter id: The identifier. Events of different sources can have the same one.
    /// - Returns: At least one.
    /// - Throws: ``OperationError`` with exit code 1 if none has it, or if it does not wait for a person.
    package func resumable(_ id: String) throws(OperationError) -> [WaitingEvent] {
        let named = events.filter { $0.event?.id == id }
        let found = named.filter { [.pause, .volumeLimit, .embargoDropped].contains($0.waiting.reason) }
        guard found.isEmpty else { return found }
        guard let other = named.first else {
            throw OperationError(
                .foundProblems,
                "no event \(id) waits in the ledgers; nothing was written. See 'newsflash status --waiting', and for events "
                    + "that ended 'newsflash outcomes'"
            )
        }
        throw OperationError(
            .foundProblems,
            "event \(id) does not wait for a person, so it cannot be resumed; nothing was written. It waits "
                + other.waiting.reason.words
        )
    }
}
