import CNewsflashRDKafka
import NewsflashBasics

/// The access list of a topic or a group, for tests; on real brokers only.
package enum AccessList: Sendable {
    case topic(String)
    case group(String)

    /// An operation that a user may be allowed.
    package enum Operation: Sendable {
        case read, write, delete, describe, alterConfigs

        fileprivate var code: rd_kafka_AclOperation_t {
            switch self {
            case .read: RD_KAFKA_ACL_OPERATION_READ
            case .write: RD_KAFKA_ACL_OPERATION_WRITE
            case .delete: RD_KAFKA_ACL_OPERATION_DELETE
            case .describe: RD_KAFKA_ACL_OPERATION_DESCRIBE
            case .alterConfigs: RD_KAFKA_ACL_OPERATION_ALTER_CONFIGS
            }
        }
    }

    private var kind: rd_kafka_ResourceType_t {
        switch self {
        case .topic: RD_KAFKA_RESOURCE_TOPIC
        case .group: RD_KAFKA_RESOURCE_GROUP
        }
    }

    private var name: String {
        switch self {
        case .topic(let name), .group(let name): name
        }
    }

    /// Adds entries that allow a user some operations, and waits until the broker obeys them.
    ///
    /// - Parameters:
    ///   - operations: The operations, at least one.
    ///   - user: The user's name.
    ///   - bootstrapServers: The brokers.
    /// - Returns: Why they were not added; `nil` if they were.
    package func add(_ operations: [Operation], for user: String, at bootstrapServers: String) async -> String? {
        let failure = await AdminCall.run(at: bootstrapServers) { client, queue in
            var entries = operations.map { operation in
                rd_kafka_AclBinding_new(
                    kind,
                    name,
                    RD_KAFKA_RESOURCE_PATTERN_LITERAL,
                    "User:\(user)",
                    "*",
                    operation.code,
                    RD_KAFKA_ACL_PERMISSION_TYPE_ALLOW,
                    nil,
                    0
                )
            }
            defer { rd_kafka_AclBinding_destroy_array(&entries, entries.count) }
            rd_kafka_CreateAcls(client, &entries, entries.count, nil, queue)
        } failure: { event in
            var count = 0
            let results = rd_kafka_CreateAcls_result_acls(rd_kafka_event_CreateAcls_result(event), &count)
            let codes = (0..<count).map { rd_kafka_error_code(rd_kafka_acl_result_error(results?[$0])) }
            return codes.first { $0 != RD_KAFKA_RESP_ERR_NO_ERROR } ?? RD_KAFKA_RESP_ERR_NO_ERROR
        }
        return if let failure { failure } else { await wait(until: { $0 == operations.count }, at: bootstrapServers) }
    }

    /// Removes all entries, and waits until the broker obeys.
    ///
    /// - Parameter bootstrapServers: The brokers.
    /// - Returns: Why they were not removed; `nil` if they were.
    package func clear(at bootstrapServers: String) async -> String? {
        let failure = await AdminCall.run(at: bootstrapServers) { client, queue in
            var filter = filter
            defer { rd_kafka_AclBinding_destroy(filter) }
            rd_kafka_DeleteAcls(client, &filter, 1, nil, queue)
        } failure: { event in
            var count = 0
            let results = rd_kafka_DeleteAcls_result_responses(rd_kafka_event_DeleteAcls_result(event), &count)
            let codes = (0..<count).map { rd_kafka_error_code(rd_kafka_DeleteAcls_result_response_error(results?[$0])) }
            return codes.first { $0 != RD_KAFKA_RESP_ERR_NO_ERROR } ?? RD_KAFKA_RESP_ERR_NO_ERROR
        }
        return if let failure { failure } else { await wait(until: { $0 == 0 }, at: bootstrapServers) }
    }

    /// Matches all entries of the list. The caller frees it.
    private var filter: OpaquePointer? {
        rd_kafka_AclBindingFilter_new(
            kind,
            name,
            RD_KAFKA_RESOURCE_PATTERN_LITERAL,
            nil,
            nil,
            RD_KAFKA_ACL_OPERATION_ANY,
            RD_KAFKA_ACL_PERMISSION_TYPE_ANY,
            nil,
            0
        )
    }

    /// Asks for the number of entries until it is right: brokers obey changes shortly after the controller has stored them.
    private func wait(until isRight: @escaping @Sendable (Int) -> Bool, at servers: String) async -> String? {
        for _ in 0..<1000 {
            let found = Locked(0)
            let failure = await AdminCall.run(at: servers) { client, queue in
                let filter = filter
                defer { rd_kafka_AclBinding_destroy(filter) }
                rd_kafka_DescribeAcls(client, filter, nil, queue)
            } failure: { event in
                var count = 0
                _ = rd_kafka_DescribeAcls_result_acls(rd_kafka_event_DescribeAcls_result(event), &count)
                found.withLock { [count] in $0 = count }
                return RD_KAFKA_RESP_ERR_NO_ERROR
            }
            if let failure { return failure }
            if isRight(found.withLock { $0 }) { return nil }
        }
        return "the broker does not obey the change"
    }
}
