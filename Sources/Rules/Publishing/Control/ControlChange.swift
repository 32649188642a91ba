/// A change of the orders of the control topic.
package enum ControlChange: Sendable, Equatable {
    /// The whole topic was read, at the start or again. Only the orders in force matter.
    case read(SourcePauses)
    /// A new order, and its offset in the topic.
    case order(ControlRecord, at: Int64)
    /// The brokers have an order of this worker, at this offset; `nil` if it was not written.
    case written(ControlRecord, at: Int64?)
}
