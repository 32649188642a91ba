/// The changes since the event streams were last notified.
struct HubNotices {
    /// The sends that were accepted or have progressed.
    var sends: Set<Int64> = []
    /// Whether there are new deliveries.
    var deliveries = false
    /// Whether the faults were changed.
    var faults = false
    /// Whether everything was reset.
    var reset = false

    var isEmpty: Bool { sends.isEmpty && !deliveries && !faults && !reset }
}
