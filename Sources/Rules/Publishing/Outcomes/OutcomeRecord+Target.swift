package import NewsflashRendering
import NewsflashRouting
package import NewsflashTimestamps
import NotificationHubs

extension OutcomeRecord {
    /// One request of the event, and its result.
    package struct Target: Sendable, Equatable {
        private(set) var asked: Asked
        package var report: Report

        package init(_ request: Request, _ report: Report = Report()) {
            asked = .noted(request)
            self.report = report
        }

        init(_ send: PlannedSend, _ report: Report) {
            asked = .planned(send)
            self.report = report
        }

        /// The content of the request. If the target has a plan, the content and its digest are computed at each access.
        package var request: Request {
            get {
                switch asked {
                case .planned(let send): Request(send)
                case .noted(let request): request
                }
            }
            set { asked = .noted(newValue) }
        }

        package static func == (left: Target, right: Target) -> Bool {
            left.report == right.report && left.request == right.request
        }

        /// The source of ``request``. A plan is stored as it is, so that the publishing thread neither copies it nor computes
        /// its digest.
        enum Asked: Sendable {
            case planned(PlannedSend)
            indirect case noted(Request)
        }
    }

    /// The audience and the content of a request.
    package struct Request: Sendable, Equatable {
        package var hub: String
        /// `template`, or the format of a native payload such as `apns`.
        package var platform: String
        /// The tag expression as sent.
        package var tags: String
        package var locale: String?
        package var textFrom: String?
        package var template: String?
        package var bytes: Int?
        package var isTruncated = false
        /// How much it disturbs its subscribers; `nil` if unknown.
        package var interruption: InterruptionLevel?
        /// See ``RequestDigest/text``; `nil` if unknown.
        package var digest: String?

        package init(hub: String, platform: String, tags: String) {
            self.hub = hub
            self.platform = platform
            self.tags = tags
        }

        package init(_ planned: PlannedSend) {
            hub = planned.hub
            platform = planned.platform
            tags = planned.expression.description
            locale = planned.locale
            textFrom = planned.textFrom
            template = planned.template
            bytes = planned.message.body.count
            isTruncated = planned.isTruncated
            interruption = planned.interruption
            digest = RequestDigest(of: planned).text
        }
    }

    /// The result of a request so far.
    package struct Report: Sendable, Equatable {
        package enum Status: String, Sendable {
            case accepted
            case rejected
            /// Sent, without a definite answer.
            case unknown
            /// Not sent, or certainly not received.
            case skipped

            /// Whether the hub accepted it, or may have.
            var mayHaveBeenSent: Bool { self == .accepted || self == .unknown }
        }

        package var status = Status.skipped
        package var httpStatus: Int?
        package var notificationID: String?
        package var trackingID: String?
        package var attempts = 0
        package var acceptedAt: Timestamp?
        package var error: String?

        package init() {}
    }
}

extension OutcomeRecord.Target {
    /// Creates a target from the ledger's fact about an audience.
    ///
    /// - Parameters:
    ///   - fact: The fact about the audience.
    ///   - error: Why no request was planned for it this time; `nil` if the fact is of this event.
    init(_ fact: AudienceFact, lacking error: String? = nil) {
        var request = OutcomeRecord.Request(
            hub: fact.hub,
            platform: fact.format,
            tags: fact.expression.description
        )
        request.locale = fact.locale
        var report = OutcomeRecord.Report()
        report.error = error
        if error == nil {
            report.status = .accepted
            report.acceptedAt = fact.act.at
        }
        self.init(request, report)
    }
}
