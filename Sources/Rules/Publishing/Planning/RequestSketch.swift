import NotificationHubs
package import Rendering

/// What matters of a request to who compares plans: whom it reaches, and what it says.
package struct RequestSketch: Sendable, Hashable {
    package var hub: String
    /// As the outcome schema names it: `template`, `apns`, …
    package var platform: String
    /// The tag expression as sent.
    package var tags: String
    package var locale: String?
    /// Which pattern its text went through; `nil` where that is not known any more.
    package var template: String?
    /// `nil` where that is not known any more.
    package var interruption: InterruptionLevel?
    /// See ``RequestDigest/text``; `nil` where it is not known, as in outcomes of before there were such.
    package var digest: String?

    /// What a plan says.
    ///
    /// - Parameter planned: One of its requests.
    package init(_ planned: PlannedSend) {
        self.init(OutcomeRecord.Request(planned))
    }

    /// What an outcome says.
    ///
    /// - Parameter request: Of one of its targets, whatever became of it.
    package init(_ request: OutcomeRecord.Request) {
        hub = request.hub
        platform = request.platform
        tags = request.tags
        locale = request.locale
        template = request.template
        interruption = request.interruption
        digest = request.digest
    }

    /// Whether both say the same, as far as both are known.
    ///
    /// - Parameter other: Of the same audience.
    /// - Returns: `true` also where it cannot be told.
    func saysTheSame(as other: RequestSketch) -> Bool {
        func agree<Value: Equatable>(_ left: Value?, _ right: Value?) -> Bool {
            guard let left, let right else { return true }
            return left == right
        }
        return locale == other.locale && agree(template, other.template) && agree(interruption, other.interruption)
            && agree(digest, other.digest)
    }
}
