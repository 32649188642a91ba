/// Records whose callers wait for them: which are under way, which wait for room, and what became of each.
///
/// No more are under way than the producer's own queue holds, so a thousand sends at once fill no queue and keep their order.
struct SendQueue: Sendable {
    /// What one call waits for, for each of its records in order.
    typealias Results = [Result<KafkaDelivery, KafkaError>]

    /// A call that is over.
    struct Answer: Sendable {
        var call: UInt64
        var results: Results
    }

    /// Numbers of records from here on are ours, those below are of callers of `produce`.
    static let firstID: UInt64 = 1 << 63

    private struct Call {
        var records: Range<UInt64>
        var topics: [String]
        var results: [Result<KafkaDelivery, KafkaError>?]
        var missing: Int
    }

    private var calls: [UInt64: Call] = [:]
    /// The call of each record that is not settled; none where the call was given up.
    private var callOfRecord: [UInt64: UInt64] = [:]
    private var underWay: Set<UInt64> = []
    /// Records that were reported on in an event which is not freed: until then they take up room.
    private var countInEvent = 0
    /// In the order of their numbers; those before ``firstWaiting`` are gone.
    private var waiting: [KafkaRecord] = []
    private var firstWaiting = 0
    private var nextID = firstID
    private var lastCall: UInt64 = 0
    private let limit: Int

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// The number of a call that is about to be made.
    mutating func makeCall() -> UInt64 {
        lastCall += 1
        return lastCall
    }

    /// Takes the records of a call; ``admit()`` says when to write them.
    mutating func add(_ records: [KafkaRecord], for call: UInt64) {
        let first = nextID
        nextID += UInt64(records.count)
        calls[call] = Call(
            records: first..<nextID,
            topics: records.map(\.topic),
            results: Array(repeating: nil, count: records.count),
            missing: records.count
        )
        for (id, record) in zip(first..<nextID, records) {
            var numbered = record
            numbered.id = id
            callOfRecord[id] = call
            waiting.append(numbered)
        }
    }

    /// The records that are to be written now, in order; they count as under way.
    mutating func admit() -> [KafkaRecord] {
        let count = min(waiting.count - firstWaiting, limit - underWay.count - countInEvent)
        guard count > 0 else { return [] }
        let records = Array(waiting[firstWaiting..<firstWaiting + count])
        firstWaiting += count
        // Moved now and then only, so that each record is moved once at most.
        if firstWaiting >= waiting.count / 2 {
            waiting.removeFirst(firstWaiting)
            firstWaiting = 0
        }
        underWay.formUnion(records.map(\.id))
        return records
    }

    /// Whether records wait for room.
    var isWaiting: Bool { firstWaiting < waiting.count }

    /// How many records the producer has taken and not reported on.
    var countUnderWay: Int { underWay.count }

    /// Takes the reports on our records.
    ///
    /// - Parameters:
    ///   - reports: On any records.
    ///   - isInEvent: Whether the records take up room until ``eventWasFreed()``.
    /// - Returns: The calls that are over by it, and the reports that are others'.
    mutating func settle(
        _ reports: [KafkaDeliveryReport],
        isInEvent: Bool = false
    ) -> (answers: [Answer], others: [KafkaDeliveryReport]) {
        var answers: [Answer] = []
        var others: [KafkaDeliveryReport] = []
        for report in reports {
            guard underWay.remove(report.id) != nil else {
                others.append(report)
                continue
            }
            if isInEvent { countInEvent += 1 }
            guard let call = callOfRecord.removeValue(forKey: report.id), let records = calls[call]?.records else {
                continue
            }
            let index = Int(report.id - records.lowerBound)
            let topic = calls[call]?.topics[index] ?? ""
            calls[call]?.results[index] = report.delivery(to: topic)
            calls[call]?.missing -= 1
            if calls[call]?.missing == 0, let answer = end(call) { answers.append(answer) }
        }
        return (answers, others)
    }

    /// Takes note that the reports given last hold up no room any more.
    mutating func eventWasFreed() {
        countInEvent = 0
    }

    /// Gives a call up: what was not written never is, and what is under way may be.
    ///
    /// - Parameter call: Its number.
    /// - Returns: Nothing where it is over.
    mutating func cancel(_ call: UInt64) -> Answer? {
        guard let records = calls[call]?.records else { return nil }
        for (index, id) in records.enumerated() where callOfRecord.removeValue(forKey: id) != nil {
            calls[call]?.results[index] = .failure(.cancelledSend(mayBePersisted: underWay.contains(id)))
        }
        waiting = waiting[firstWaiting...].filter { !records.contains($0.id) }
        firstWaiting = 0
        return end(call)
    }

    /// Fails what is under way: its instance is gone, and no report comes any more.
    mutating func giveUpUnderWay(because error: KafkaError) -> [Answer] {
        settle(underWay.map { KafkaDeliveryReport(id: $0, result: .failure(error), mayBePersisted: true) }).answers
    }

    private mutating func end(_ call: UInt64) -> Answer? {
        calls.removeValue(forKey: call).map { Answer(call: call, results: $0.results.compactMap(\.self)) }
    }
}

extension KafkaDeliveryReport {
    /// What the one who sent the record is told.
    fileprivate func delivery(to topic: String) -> Result<KafkaDelivery, KafkaError> {
        switch result {
        case .success(let place):
            let partition = KafkaTopicPartition(topic: topic, partition: place.partition)
            return .success(KafkaDelivery(topicPartition: partition, offset: place.offset))
        case .failure(var error):
            error.mayBePersisted = mayBePersisted
            // It is the instance that cannot go on; the producer makes itself anew.
            if error.code == .fatal { error.isRetriable = true }
            return .failure(error)
        }
    }
}

extension KafkaError {
    /// The task that sent a record was cancelled.
    static func cancelledSend(mayBePersisted: Bool) -> KafkaError {
        let what = mayBePersisted ? "the record may yet be written" : "the record was not written"
        var error = KafkaError(.cancelled, "sending was cancelled: \(what)")
        error.mayBePersisted = mayBePersisted
        return error
    }
}
