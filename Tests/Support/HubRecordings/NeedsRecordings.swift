package import Testing

extension Trait where Self == ConditionTrait {
    /// Recorded sessions of the real Notification Hubs.
    package static var needsRecordings: Self {
        .enabled("needs recorded sessions of the real hub (MIT, Azure SDK): .ci/fetch-recordings gets them") {
            !HubSession.names.isEmpty
        }
    }
}
