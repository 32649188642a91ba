import NewsflashHTTPTransport
import NewsflashHubEmulator

/// Schedules and telemetry that the service refuses; sections 3.10, 3.11 and 7.2.
extension MalformedRequest {
    private static func schedule(
        _ what: String,
        time: String?,
        format: String? = "template",
        body: String = #"{"a":"b"}"#,
        status: Int = 400,
        tier: HubTier = .standard,
        _ text: String
    ) -> MalformedRequest {
        var request = MalformedRequest(
            what: "a schedule: " + what,
            status: status,
            text: text,
            path: "schedulednotifications?api-version=2020-06"
        )
        if let format { request.headers.append(Header.format(format)) }
        if let time { request.headers.append(Header.time(time)) }
        request.body = Array(body.utf8)
        request.tier = tier
        return request
    }

    /// The tests' clock shows 2025-12-31T23:00:00Z.
    static let schedules =
        [
            schedule("no time", time: nil, "The header ServiceBusNotification-ScheduleTime is missing."),
            schedule(
                "eight days ahead",
                time: "2026-01-08T23:00:00",
                "A notification can be scheduled at most 7 days ahead."
            ),
            schedule(
                "a second too far ahead",
                time: "2026-01-07T23:00:01",
                "A notification can be scheduled at most 7 days ahead."
            ),
            schedule(
                "no format",
                time: "2026-01-01T00:00:00",
                format: nil,
                "The header ServiceBusNotification-Format is missing."
            ),
            schedule(
                "a wrong body",
                time: "2026-01-01T00:00:00",
                body: "{",
                "The supplied notification payload is invalid."
            ),
            schedule(
                "a large body",
                time: "2026-01-01T00:00:00",
                format: "windows",
                body: String(repeating: "x", count: 65_537),
                status: 413,
                "The request entity is too large"
            ),
            schedule(
                "of the free tier",
                time: "2026-01-01T00:00:00",
                status: 403,
                tier: .free,
                "This operation is not available for your tier"
            ),
            schedule(
                "of the basic tier",
                time: "2026-01-01T00:00:00",
                status: 403,
                tier: .basic,
                "This operation is not available for your tier"
            ),
        ]
        + [
            "", "soon", "2026-01-01", "12:00:00", "2026-13-01T00:00:00", "2026-02-30T00:00:00", "2026-01-01T25:00:00",
            "01/01/2026 00:00:00",
            "1767222000", "2026-01-01T00:00", "2026-01-01T00:00:00+99:00",
        ].map { (time: String) in
            schedule(
                "the time \(time)",
                time: time,
                "The value of the header ServiceBusNotification-ScheduleTime must be a time"
            )
        }
        + ["x", "af14e491a7994a65b7b3a5681a373337_20181107001832_33331921_17"].map { id in
            MalformedRequest(
                what: "no schedule \(id) to cancel",
                status: 404,
                text: "",
                method: "DELETE",
                path: "schedulednotifications/\(id)",
                body: []
            )
        }

    private static func telemetry(
        _ what: String,
        _ id: String,
        version: String = "2020-06",
        status: Int = 400,
        tier: HubTier = .standard,
        _ text: String
    ) -> MalformedRequest {
        MalformedRequest(
            what: "telemetry: " + what,
            status: status,
            text: text,
            method: "GET",
            path: "messages/\(id)?api-version=\(version)",
            body: [],
            tier: tier
        )
    }

    static let telemetry = [
        telemetry("an id of letters", "hello", "The notification id is malformed."),
        telemetry("a number", "1", "The notification id is malformed."),
        telemetry("half an id", "NH-20260101120000000-0123456789abcdef", "The notification id is malformed."),
        telemetry(
            "an unknown message",
            "NH-20260101120000000-0123456789abcdef0123456789abcdef-06",
            status: 404,
            ""
        ),
        telemetry("a message of 2018", "cec4b172178f48e9a801f7d2ebbaa471-20181107001833-33331921-12", status: 404, ""),
        telemetry(
            "a version without telemetry",
            "NH-20260101120000000-0123456789abcdef0123456789abcdef-06",
            version: "2015-08",
            "This operation needs api-version 2016-07 or later."
        ),
        telemetry(
            "the free tier",
            "NH-20260101120000000-0123456789abcdef0123456789abcdef-06",
            status: 403,
            tier: .free,
            "This operation is not available for your tier"
        ),
        telemetry(
            "the basic tier",
            "NH-20260101120000000-0123456789abcdef0123456789abcdef-06",
            status: 403,
            tier: .basic,
            "This operation is not available for your tier"
        ),
    ]
}
