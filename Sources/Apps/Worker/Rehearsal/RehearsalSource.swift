import Publishing

/// A source of a rehearsal: one partition, and its ledger.
struct RehearsalSource {
    let name: String
    let partition: SourcePartition
    var ledger = RehearsalLedger()
    /// The offset from which a worker that starts again reads.
    var committed: Int64 = 0
    /// The places of its records among all, by their offsets.
    var records: [Int] = []

    init(_ settings: SourceSettings) {
        name = settings.name
        partition = SourcePartition(topic: settings.topic, number: 0)
    }
}
