/// How much is too much to be news: what is over holds the line until a human has looked.
package struct BrakePolicy: Sendable, Equatable {
    /// Events with the same words.
    package var sameText: Rate?
    /// Events of one source.
    package var perSource: Rate?
    /// Events of all sources.
    package var all: Rate?

    package init(sameText: Rate? = nil, perSource: Rate? = nil, all: Rate? = nil) {
        self.sameText = sameText
        self.perSource = perSource
        self.all = all
    }
}
