import NewsflashKafka
package import NewsflashKafkaMock
import NewsflashTestSupport

extension SecureCluster {
    /// Restricts ``user`` to some operations. Clients of the listener without authentication may do everything.
    ///
    /// - Parameters:
    ///   - operations: The operations, at least one.
    ///   - list: The access list of the resource.
    /// - Throws: ``ChildProcess/Failure`` when the broker refuses.
    package func allowOnly(_ operations: [AccessList.Operation], with list: AccessList) async throws {
        try expect(await list.add(operations, for: Self.user, at: client().bootstrapServers), of: list)
    }

    /// Permits everything to everyone again.
    ///
    /// - Parameter list: The access list of the resource.
    /// - Throws: ``ChildProcess/Failure`` when the broker refuses.
    package func allowEverything(with list: AccessList) async throws {
        try expect(await list.clear(at: client().bootstrapServers), of: list)
    }

    private func expect(_ failure: String?, of list: AccessList) throws {
        if let failure { throw ChildProcess.Failure(description: "changing the access list of \(list): \(failure)") }
    }
}
