import CRDKafka

extension KafkaAdmin {
    /// Returns the offsets that a group has committed, without being a member.
    ///
    /// Uses the request of a consumer, which does not join the group: the admin request of librdkafka 2.0.2 ends the process if
    /// the coordinator is not available yet, or answers so.
    ///
    /// - Parameters:
    ///   - group: The group's name.
    ///   - partitions: The partitions; at least one.
    ///   - timeout: How long to wait for the coordinator.
    /// - Returns: The next offset to read, without partitions that have none.
    /// - Throws: ``KafkaError`` if the group cannot be asked.
    public func committedOffsets(
        ofGroup group: String,
        partitions: [KafkaTopicPartition],
        timeout: Duration = .seconds(10)
    ) async throws(KafkaError) -> [KafkaTopicPartition: Int64] {
        guard !partitions.isEmpty else { return [:] }
        let own = configuration.properties.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        let client = try ClientHandle(
            RD_KAFKA_CONSUMER,
            properties: try configuration.commonProperties() + own + [("group.id", group)],
            client: configuration,
            events: 0
        )
        return try await offPool { () throws(KafkaError) in
            let work = "asking for the offsets of group \"\(group)\""
            let list = TopicPartitionList(partitions)
            let response = rd_kafka_committed(client.pointer, list.pointer, timeout.milliseconds)
            guard response == RD_KAFKA_RESP_ERR_NO_ERROR else {
                throw client.explaining(KafkaError(response, doing: work))
            }
            return try list.committedOffsets(of: group)
        }
    }

    /// Returns the number of members of a consumer group.
    ///
    /// A member that died counts until its session ends.
    ///
    /// - Parameters:
    ///   - group: The group's name.
    ///   - timeout: How long to wait for the brokers.
    /// - Returns: 0 if the group has no members or does not exist.
    /// - Throws: ``KafkaError`` if the group cannot be described.
    public func memberCount(ofGroup group: String, timeout: Duration = .seconds(5)) async throws(KafkaError) -> Int {
        try await offPool { [client] () throws(KafkaError) in
            let work = "asking for the members of group \"\(group)\""
            var list: UnsafePointer<rd_kafka_group_list>?
            let response = rd_kafka_list_groups(client.pointer, group, &list, timeout.milliseconds)
            defer { if let list { rd_kafka_group_list_destroy(list) } }
            guard let found = list?.pointee else { throw client.explaining(KafkaError(response, doing: work)) }
            for entry in UnsafeBufferPointer(start: found.groups, count: Int(found.group_cnt)) {
                try KafkaError.check(entry.err, doing: work)
                return Int(entry.member_cnt)
            }
            try KafkaError.check(response, doing: work)
            return 0
        }
    }

    /// Changes the offsets of a group that currently has no members.
    ///
    /// - Parameters:
    ///   - group: The group's name.
    ///   - offsets: The next offset to read; at least one.
    ///   - timeout: How long to wait for the coordinator.
    /// - Throws: ``KafkaError``, for example if the group has members.
    public func alterOffsets(
        ofGroup group: String,
        to offsets: [KafkaTopicPartition: Int64],
        timeout: Duration = .seconds(10)
    ) async throws(KafkaError) {
        guard !offsets.isEmpty else { return }
        _ = try await request(
            RD_KAFKA_ADMIN_OP_ALTERCONSUMERGROUPOFFSETS,
            doing: "moving the offsets of group \"\(group)\"",
            timeout: timeout
        ) { client, options, queue in
            let list = TopicPartitionList(offsets)
            var pointers = [rd_kafka_AlterConsumerGroupOffsets_new(group, list.pointer)]
            rd_kafka_AlterConsumerGroupOffsets(client, &pointers, 1, options, queue)
            rd_kafka_AlterConsumerGroupOffsets_destroy(pointers[0])
        } read: { (answer) throws(KafkaError) in
            let result = rd_kafka_event_AlterConsumerGroupOffsets_result(answer.pointer)
            var count = 0
            let groups = rd_kafka_AlterConsumerGroupOffsets_result_groups(result, &count)
            return try groupOffsets(groups, count, "moving the offsets of group \"\(group)\"")
        }
    }
}

private func groupOffsets(
    _ groups: UnsafeMutablePointer<OpaquePointer?>?,
    _ count: Int,
    _ work: String
) throws(KafkaError) -> [KafkaTopicPartition: Int64] {
    var offsets: [KafkaTopicPartition: Int64] = [:]
    for group in UnsafeBufferPointer(start: groups, count: count) {
        // The error belongs to the answer, so only its code is used.
        if let error = rd_kafka_group_result_error(group) {
            throw KafkaError(rd_kafka_error_code(error), doing: work)
        }
        for entry in TopicPartitionList.read(rd_kafka_group_result_partitions(group)) {
            try KafkaError.check(entry.response, doing: "\(work), \(entry.partition)")
            if entry.offset >= 0 { offsets[entry.partition] = entry.offset }
        }
    }
    return offsets
}
