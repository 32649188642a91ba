import CommandLineArguments
import Timestamps
import Worker

/// `--since` and `--until`.
struct TimeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "From when on, by the records' times: so long ago, such as 30m, 2h or 7d, or a date-time of RFC 3339.",
            valueName: "time"
        )
    )
    var since: String?

    @Option(help: ArgumentHelp("Until when, written likewise; left out, the present.", valueName: "time"))
    var until: String?

    func validate() throws {
        _ = try range(now: .now())
    }

    /// The times that the options name.
    ///
    /// - Parameter now: What lengths of time count back from.
    /// - Returns: Nothing for what is left out.
    /// - Throws: `ValidationError` where one cannot be read, or the end lies before the beginning.
    func range(now: Timestamp) throws(ValidationError) -> (since: Timestamp?, until: Timestamp?) {
        let since = try Self.time(self.since, "--since", now)
        let until = try Self.time(self.until, "--until", now)
        if let since, let until, until <= since {
            throw ValidationError("'--until' (\(until.rfc3339)) lies before '--since' (\(since.rfc3339)).")
        }
        return (since, until)
    }

    private static func time(
        _ text: String?,
        _ option: String,
        _ now: Timestamp
    ) throws(ValidationError) -> Timestamp? {
        guard let text else { return nil }
        if let length = Duration(configured: text) { return now - length }
        if let time = Timestamp(rfc3339: text) { return time }
        throw ValidationError(
            "'\(option)' cannot be read: write how long ago, such as 30m, 2h or 7d, or a date-time such as "
                + "2026-03-02T08:40:00Z."
        )
    }
}
