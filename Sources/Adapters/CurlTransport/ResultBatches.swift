import HTTPTransport

/// Results of one turn of the loop, by receiver.
struct ResultBatches {
    private var batches: [(receiver: any HTTPResultReceiver, results: [HTTPExchangeResult])] = []
    /// The number of results in the last batch.
    private var usualCount = 0

    /// Adds a result to the others for the same receiver.
    mutating func add(_ result: HTTPExchangeResult, for receiver: any HTTPResultReceiver) {
        // There are few receivers, usually one.
        for position in batches.indices where batches[position].receiver === receiver {
            batches[position].results.append(result)
            return
        }
        batches.append((receiver, []))
        batches[batches.count - 1].results.reserveCapacity(usualCount)
        batches[batches.count - 1].results.append(result)
    }

    /// Delivers all batches, with one call for each receiver, and is empty afterwards.
    mutating func deliver() {
        guard !batches.isEmpty else { return }
        let ready = batches
        batches.removeAll(keepingCapacity: true)
        usualCount = min(ready[0].results.count, 256)
        for batch in ready { batch.receiver.receive(batch.results) }
    }
}
