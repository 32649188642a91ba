import Publishing

/// A source of a rehearsal: one partition, and its ledger.
struct RehearsalSource {
    let name: String
    let partition: SourcePartition
    var ledger = RehearsalLedger()
    /// The offset from which a restarted worker reads.
    var committed: Int64 = 0
    /// The indices of its records in all records, by offset.
    var records: [Int] = []

    init(_ settings: SourceSettings) {
        name = settings.name
        partition = SourcePartition(topic: settings.topic, number: 0)
    }
}
