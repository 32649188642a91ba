import HTTPTransport

/// Results of one turn of the loop, by receiver.
struct ResultBatches {
    private var batches: [(receiver: any HTTPResultReceiver, results: [HTTPExchangeResult])] = []
    private var positions: [ObjectIdentifier: Int] = [:]

    /// Lays a result beside the others for the same receiver.
    mutating func add(_ result: HTTPExchangeResult, for receiver: any HTTPResultReceiver) {
        let identifier = ObjectIdentifier(receiver)
        if let position = positions[identifier] {
            batches[position].results.append(result)
        } else {
            positions[identifier] = batches.count
            batches.append((receiver, [result]))
        }
    }

    /// Hands all batches over, one call for each receiver, and is empty then.
    mutating func deliver() {
        guard !batches.isEmpty else { return }
        let ready = batches
        batches = []
        positions.removeAll(keepingCapacity: true)
        for batch in ready { batch.receiver.receive(batch.results) }
    }
}
