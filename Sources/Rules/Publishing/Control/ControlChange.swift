/// A change of the orders of the control topic.
package enum ControlChange: Sendable, Equatable {
    /// The whole topic was read, at the start or again: its history, of which only the orders in force are of interest.
    case read(SourceHolds)
    /// A new order, and its offset in the topic.
    case order(ControlRecord, at: Int64)
    /// The brokers have an order of this worker, at this offset; `nil` if they did not take it.
    case written(ControlRecord, at: Int64?)
}
