package import NewsEvents

extension StoryFacts {
    /// The same story as the ledger of another partition knows it.
    ///
    /// Offsets say nothing there: what is done of the one partition is not done of the other. So nothing is listed as done,
    /// closing or waiting; the events that wait have to be written to the source again.
    ///
    /// - Parameter words: Those at ``wordsOffset``, which is forgotten; `nil` where the source has lost them.
    /// - Returns: What was told, to whom, and in which words.
    package func moved(words: [EventText]?) -> StoryFacts {
        var moved = self
        moved.processed = ProcessedOffsets()
        moved.closing = []
        moved.begun = []
        moved.term = 0
        moved.waiting = []
        moved.wordsOffset = nil
        moved.withdrawalOffset = nil
        if moved.text.isEmpty { moved.text = words ?? [] }
        return moved
    }
}
