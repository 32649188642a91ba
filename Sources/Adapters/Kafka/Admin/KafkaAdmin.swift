import CNewsflashRDKafka
public import NewsflashTimestamps
public import NewsflashTopicPartitions

/// Asks a cluster about its topics and groups, and creates topics.
///
/// Every call waits on a thread that may block, never on one of Swift's cooperative pool. Calls may overlap.
public final class KafkaAdmin: Sendable {
    let client: ClientHandle
    /// For calls that create clients of other kinds.
    let configuration: KafkaConfiguration

    /// Creates a client for administration. It sends nothing before the first call.
    ///
    /// - Parameter configuration: The cluster and the identity of this client.
    /// - Throws: ``KafkaError`` with the name of a property that cannot be used.
    public init(_ configuration: KafkaConfiguration) throws(KafkaError) {
        self.configuration = configuration
        let own = configuration.properties.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        self.client = try ClientHandle(
            RD_KAFKA_PRODUCER,
            // A TLS port closes connections that do not speak TLS. Only the log line about the end explains this.
            properties: try configuration.commonProperties() + [("log.connection.close", "true")] + own,
            client: configuration,
            events: 0
        )
    }

    /// Returns all topics of the cluster that these credentials may see, by name.
    ///
    /// - Parameter timeout: How long to wait for a broker.
    /// - Returns: The topics, including those of Kafka itself.
    /// - Throws: ``KafkaError`` if no broker answers.
    public func topics(timeout: Duration = .seconds(10)) async throws(KafkaError) -> [KafkaTopic] {
        try await offPool { [client] () throws(KafkaError) in
            try Metadata(ofAllIn: client, timeout: timeout).topics
        }
    }

    /// Returns one topic.
    ///
    /// - Parameters:
    ///   - name: The topic's name.
    ///   - timeout: How long to wait for a broker.
    /// - Returns: `nil` if the topic does not exist.
    /// - Throws: ``KafkaError`` if no broker answers or the topic may not be seen.
    public func topic(_ name: String, timeout: Duration = .seconds(10)) async throws(KafkaError) -> KafkaTopic? {
        let found = try await offPool { [client] () throws(KafkaError) in
            try Metadata(of: try TopicHandle(name, of: client), timeout: timeout).topics.first
        }
        guard let found, found.error?.code != .unknownTopicOrPartition else { return nil }
        if let error = found.error { throw error }
        return found
    }

    /// Asks the leader of a partition for its ends.
    ///
    /// - Parameters:
    ///   - partition: The partition.
    ///   - timeout: How long to wait for the leader.
    /// - Returns: The current ends.
    /// - Throws: ``KafkaError`` if the leader cannot be asked.
    public func watermarks(
        of partition: TopicPartition,
        timeout: Duration = .seconds(10)
    ) async throws(KafkaError) -> KafkaWatermarks {
        try await offPool { [client] () throws(KafkaError) in
            try client.blockingWatermarks(of: partition, timeout: timeout)
        }
    }

    /// Sends one admin request and waits for its answer.
    ///
    /// - Parameters:
    ///   - kind: The kind of request.
    ///   - work: The operation, for the error.
    ///   - timeout: How long to wait.
    ///   - send: Passes the request to librdkafka, which copies what it needs.
    ///   - read: Reads the answer.
    /// - Returns: The result of `read`.
    /// - Throws: ``KafkaError`` if the request as a whole failed.
    func request<Answer: Sendable>(
        _ kind: rd_kafka_admin_op_t,
        doing work: String,
        timeout: Duration,
        send: @escaping @Sendable (_ client: OpaquePointer, _ options: OpaquePointer?, _ queue: OpaquePointer) -> Void,
        read: @escaping @Sendable (borrowing ClientEvent) throws(KafkaError) -> Answer
    ) async throws(KafkaError) -> Answer {
        try await offPool { [client] () throws(KafkaError) in
            let answers = EventQueue(of: client)
            let options = rd_kafka_AdminOptions_new(client.pointer, kind)
            defer { rd_kafka_AdminOptions_destroy(options) }
            rd_kafka_AdminOptions_set_request_timeout(options, timeout.milliseconds, nil, 0)
            send(client.pointer, options, answers.pointer)
            // librdkafka itself answers in time; the additional second only limits the wait.
            guard let answer = answers.next(waiting: timeout + .seconds(1)) else {
                throw client.explaining(KafkaError(.timedOut, "\(work): no answer within \(timeout)"))
            }
            if let error = answer.error(doing: work) { throw client.explaining(error) }
            return try read(answer)
        }
    }
}

extension KafkaAdmin {
    /// Asks the leaders of many partitions for their ends, all at once.
    ///
    /// - Parameters:
    ///   - partitions: The partitions.
    ///   - timeout: How long to wait for the leaders.
    /// - Returns: The current ends of each partition.
    /// - Throws: ``KafkaError`` if a leader cannot be asked.
    public func watermarks(
        of partitions: [TopicPartition],
        timeout: Duration = .seconds(10)
    ) async throws(KafkaError) -> [TopicPartition: KafkaWatermarks] {
        let lows = try await answers(of: partitions, to: KafkaOffset.beginning.number, timeout: timeout)
        let highs = try await answers(of: partitions, to: KafkaOffset.end.number, timeout: timeout)
        var watermarks: [TopicPartition: KafkaWatermarks] = [:]
        for partition in partitions {
            guard let low = lows[partition], let high = highs[partition] else {
                throw KafkaError(.timedOut, "asking for the ends of \(partition): its leader returned none")
            }
            watermarks[partition] = KafkaWatermarks(low: low, high: high)
        }
        return watermarks
    }

    /// Returns the positions of partitions at a time: the first record of that time or later, or the end if there is none.
    ///
    /// Clusters that do not find offsets by time, such as the embedded one, are read until the record is found.
    ///
    /// - Parameters:
    ///   - partitions: The partitions.
    ///   - time: The time, in milliseconds.
    ///   - timeout: How long to wait for the leaders.
    /// - Returns: An offset for each partition.
    /// - Throws: ``KafkaError`` if a leader cannot be asked.
    public func offsets(
        of partitions: [TopicPartition],
        at time: Timestamp,
        timeout: Duration = .seconds(10)
    ) async throws(KafkaError) -> [TopicPartition: Int64] {
        let first = try await answers(of: partitions, to: time.milliseconds, timeout: timeout)
        let silent = partitions.filter { first[$0] == nil }
        guard !silent.isEmpty else { return first }
        // The ends are requested before the second question, so that no record written in between is missed.
        let watermarks = try await watermarks(of: silent, timeout: timeout)
        let second = try await answers(of: silent, to: time.milliseconds, timeout: timeout)
        var offsets = first.merging(second) { $1 }
        var ends: [TopicPartition: Int64] = [:]
        for (partition, marks) in watermarks where offsets[partition] == nil {
            offsets[partition] = marks.high
            if marks.low < marks.high { ends[partition] = marks.high }
        }
        let found = try await TimeSearch.firstRecords(at: time, before: ends, configuration, timeout: timeout)
        return offsets.merging(found) { $1 }
    }

    /// Asks leaders for the offset of a time, or of one of librdkafka's logical ends.
    ///
    /// - Returns: The offsets, without partitions that have none.
    private func answers(
        of partitions: [TopicPartition],
        to question: Int64,
        timeout: Duration
    ) async throws(KafkaError) -> [TopicPartition: Int64] {
        guard !partitions.isEmpty else { return [:] }
        let topics = Set(partitions.map(\.topic)).sorted().joined(separator: ", ")
        return try await askAgain(timeout: timeout) { (error: KafkaError) in
            error.meansThatTheLeaderMoves
        } question: { [client] (left) async throws(KafkaError) in
            try await offPool { () throws(KafkaError) in
                let list = TopicPartitionList(Dictionary(partitions.map { ($0, question) }) { $1 })
                do throws(KafkaError) {
                    try KafkaError.check(
                        rd_kafka_offsets_for_times(client.pointer, list.pointer, left.milliseconds),
                        doing: "asking the leaders of \(topics) for offsets"
                    )
                } catch {
                    throw client.explaining(error)
                }
                var offsets: [TopicPartition: Int64] = [:]
                for entry in list.entries {
                    try KafkaError.check(entry.response, doing: "asking the leader of \(entry.partition) for an offset")
                    if entry.offset >= 0 { offsets[entry.partition] = entry.offset }
                }
                return offsets
            }
        }
    }
}

extension KafkaAdmin {
    /// Returns the offsets that a group has committed, without being a member.
    ///
    /// Uses the request of a consumer, which does not join the group: the admin request of librdkafka 2.0.2 ends the process if
    /// the coordinator is not available yet, or answers so.
    ///
    /// - Parameters:
    ///   - group: The group's name.
    ///   - partitions: The partitions; at least one.
    ///   - timeout: How long to wait for the coordinator. While the group has none, or it moves, it is asked again.
    /// - Returns: The next offset to read, without partitions that have none.
    /// - Throws: ``KafkaError`` if the group cannot be asked.
    public func committedOffsets(
        ofGroup group: String,
        partitions: [TopicPartition],
        timeout: Duration = .seconds(10)
    ) async throws(KafkaError) -> [TopicPartition: Int64] {
        guard !partitions.isEmpty else { return [:] }
        let own = configuration.properties.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        let client = try ClientHandle(
            RD_KAFKA_CONSUMER,
            properties: try configuration.commonProperties() + own + [("group.id", group)],
            client: configuration,
            events: 0
        )
        let work = "asking the coordinator of group \"\(group)\" for its offsets"
        do throws(KafkaError) {
            return try await askCoordinator(timeout: timeout) { (left) async throws(KafkaError) in
                try await offPool { () throws(KafkaError) in
                    let list = TopicPartitionList(partitions)
                    let response = rd_kafka_committed(client.pointer, list.pointer, left.milliseconds)
                    try KafkaError.check(response, doing: work)
                    return try list.committedOffsets(of: group)
                }
            }
        } catch {
            throw client.explaining(error)
        }
    }

    // Asks the coordinator of a group again until one responds. The question receives the time for an answer.
    //
    // librdkafka 2.0.2 looks for a coordinator only three times, within 200 ms, and then waits for the rest of the time. So a
    // question without an answer is asked again, too.
    private func askCoordinator<Answer>(
        timeout: Duration,
        _ question: (Duration) async throws(KafkaError) -> Answer
    ) async throws(KafkaError) -> Answer {
        try await askAgain(timeout: timeout) { (error: KafkaError) in
            error.meansThatTheCoordinatorMoves || error.code == .timedOut
        } question: { (left) async throws(KafkaError) in
            try await question(min(left, .seconds(2)))
        }
    }

    // Asks again after errors that end by themselves.
    private func askAgain<Answer>(
        timeout: Duration,
        if isPassing: (KafkaError) -> Bool,
        question: (Duration) async throws(KafkaError) -> Answer
    ) async throws(KafkaError) -> Answer {
        let pause = Duration.milliseconds(100)
        let end = ContinuousClock.now + timeout
        while true {
            do throws(KafkaError) {
                // A shorter time would hide the reason behind a timeout.
                return try await question(max(.seconds(1), end - .now))
            } catch {
                // Nothing signals that a coordinator or a leader has been chosen.
                guard isPassing(error), end - .now > pause, (try? await Task.sleep(for: pause)) != nil else {
                    throw error
                }
            }
        }
    }

    /// Returns the number of members of a consumer group.
    ///
    /// A member that died counts until its session ends. Brokers leave out a group that the user may not describe, without an
    /// error, so a group that is not listed is described, too: the answer to that names the right.
    ///
    /// - Parameters:
    ///   - group: The group's name.
    ///   - timeout: How long to wait for the brokers. While the group has no coordinator, or it moves, they are asked again.
    /// - Returns: 0 if the group has no members or does not exist.
    /// - Throws: ``KafkaError`` if the group cannot be described, with the code `groupForbidden` if the user lacks the right
    ///   Describe on the group.
    public func memberCount(ofGroup group: String, timeout: Duration = .seconds(5)) async throws(KafkaError) -> Int {
        try await askCoordinator(timeout: timeout) { (left) async throws(KafkaError) in
            if let count = try await self.listedMembers(ofGroup: group, timeout: left) { return count }
            return try await self.describedMembers(ofGroup: group, timeout: left)
        }
    }

    /// The number of members of a group according to its coordinator; 0 if it does not exist.
    private func describedMembers(ofGroup group: String, timeout: Duration) async throws(KafkaError) -> Int {
        let work = "asking for the members of group \"\(group)\""
        return try await request(RD_KAFKA_ADMIN_OP_DESCRIBECONSUMERGROUPS, doing: work, timeout: timeout) {
            client,
            options,
            queue in
            group.withCString { name in
                var names: [UnsafePointer<CChar>?] = [name]
                rd_kafka_DescribeConsumerGroups(client, &names, 1, options, queue)
            }
        } read: { (answer) throws(KafkaError) in
            let result = rd_kafka_event_DescribeConsumerGroups_result(answer.pointer)
            var count = 0
            let groups = rd_kafka_DescribeConsumerGroups_result_groups(result, &count)
            guard count > 0, let description = groups?[0] else { return 0 }
            // The error belongs to the answer, so only its code is used.
            if let error = rd_kafka_ConsumerGroupDescription_error(description) {
                let code = rd_kafka_error_code(error)
                // Kafka 4 responds so for a group that does not exist.
                if code == RD_KAFKA_RESP_ERR_GROUP_ID_NOT_FOUND { return 0 }
                throw KafkaError(code, doing: work)
            }
            return rd_kafka_ConsumerGroupDescription_member_count(description)
        }
    }

    /// The number of members of a group; `nil` if the brokers do not list it.
    private func listedMembers(ofGroup group: String, timeout: Duration) async throws(KafkaError) -> Int? {
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
            return nil
        }
    }

    /// Changes the offsets of a group that currently has no members.
    ///
    /// - Parameters:
    ///   - group: The group's name.
    ///   - offsets: The next offset to read; at least one.
    ///   - timeout: How long to wait for the coordinator. While the group has none, or it moves, it is asked again.
    /// - Throws: ``KafkaError``, for example if the group has members.
    public func alterOffsets(
        ofGroup group: String,
        to offsets: [TopicPartition: Int64],
        timeout: Duration = .seconds(10)
    ) async throws(KafkaError) {
        guard !offsets.isEmpty else { return }
        _ = try await askCoordinator(timeout: timeout) { (left) async throws(KafkaError) in
            try await self.alteredOffsets(ofGroup: group, to: offsets, timeout: left)
        }
    }

    private func alteredOffsets(
        ofGroup group: String,
        to offsets: [TopicPartition: Int64],
        timeout: Duration
    ) async throws(KafkaError) -> [TopicPartition: Int64] {
        let work = "moving the offsets of group \"\(group)\""
        return try await request(RD_KAFKA_ADMIN_OP_ALTERCONSUMERGROUPOFFSETS, doing: work, timeout: timeout) {
            client,
            options,
            queue in
            let list = TopicPartitionList(offsets)
            var pointers = [rd_kafka_AlterConsumerGroupOffsets_new(group, list.pointer)]
            rd_kafka_AlterConsumerGroupOffsets(client, &pointers, 1, options, queue)
            rd_kafka_AlterConsumerGroupOffsets_destroy(pointers[0])
        } read: { (answer) throws(KafkaError) in
            let result = rd_kafka_event_AlterConsumerGroupOffsets_result(answer.pointer)
            var count = 0
            let groups = rd_kafka_AlterConsumerGroupOffsets_result_groups(result, &count)
            return try groupOffsets(groups, count, work)
        }
    }
}

private func groupOffsets(
    _ groups: UnsafeMutablePointer<OpaquePointer?>?,
    _ count: Int,
    _ work: String
) throws(KafkaError) -> [TopicPartition: Int64] {
    var offsets: [TopicPartition: Int64] = [:]
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
