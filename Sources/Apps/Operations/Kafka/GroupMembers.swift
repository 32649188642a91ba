import NewsflashKafka
package import NewsflashWorker

/// The running workers of a group.
package enum GroupMembers {
    /// Queries the number of members of the workers' group.
    ///
    /// - Returns: The number, or the error of the query.
    package static func count(_ settings: TopicSettings) async -> Result<Int, OperationError> {
        do throws(KafkaError) {
            return .success(try await KafkaAdmin(settings.kafka).memberCount(ofGroup: settings.group))
        } catch {
            let right = "Describe on the group \(settings.group)"
            return .failure(OperationError(.unavailable, settings.kafka, error, right: right))
        }
    }
}
