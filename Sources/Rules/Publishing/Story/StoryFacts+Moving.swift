package import NewsflashEvents

extension StoryFacts {
    /// The facts of the story for the ledger of another partition.
    ///
    /// Source offsets are per partition, so none is carried over: nothing is listed as processed, closing or waiting. Waiting
    /// events must be written to the source again.
    ///
    /// - Parameter words: The text at ``wordsOffset``, which is not carried over; `nil` if the source has lost it.
    /// - Returns: The facts with audiences and text, without offsets.
    package func moved(words: [EventText]?) -> StoryFacts {
        var moved = self
        moved.processed = ProcessedOffsets()
        moved.closing = []
        moved.begun = []
        moved.term = 0
        moved.waiting = []
        moved.wordsOffset = nil
        moved.withdrawalOffset = nil
        moved.isWithdrawalEarly = false
        if moved.text.isEmpty { moved.text = words ?? [] }
        return moved
    }
}
