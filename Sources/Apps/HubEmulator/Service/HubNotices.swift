/// What has changed since those who watch were told last.
struct HubNotices {
    /// Sends that were accepted or have got further.
    var sends: Set<Int64> = []
    /// Whether there are new deliveries.
    var deliveries = false
    /// Whether other faults are set.
    var faults = false
    /// Whether everything was forgotten.
    var reset = false

    var isEmpty: Bool { sends.isEmpty && !deliveries && !faults && !reset }
}
