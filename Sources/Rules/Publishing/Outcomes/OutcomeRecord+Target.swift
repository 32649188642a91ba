import NotificationHubs
package import Rendering
import Routing
package import Timestamps

extension OutcomeRecord {
    /// One request that the event needed, and what became of it.
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

        /// What was asked of the hub; of a plan it is made at each look, its digest with it.
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

        /// A plan is handed on as it is: who decides on events copies nothing of it, and works out no digest.
        enum Asked: Sendable {
            case planned(PlannedSend)
            indirect case noted(Request)
        }
    }

    /// Whom a request is to reach, and what it says.
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
        /// How much it disturbs its readers; `nil` where that is not known any more.
        package var interruption: InterruptionLevel?
        /// See ``RequestDigest/text``; `nil` where what it said is not known any more.
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

    /// What became of a request so far.
    package struct Report: Sendable, Equatable {
        package enum Status: String, Sendable {
            case accepted
            case rejected
            /// Sent, and never answered for certain.
            case unknown
            /// Not sent, or surely not received.
            case skipped

            /// Whether the hub took it, or may have.
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
    /// Makes a target from the ledger's fact about an audience that a hub accepted a request for.
    ///
    /// - Parameters:
    ///   - fact: The fact about the audience.
    ///   - error: Why no request was made for it this time; `nil` if the fact is of this event.
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
