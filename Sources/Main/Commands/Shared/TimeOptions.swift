import NewsflashCommandLineArguments
import NewsflashTimestamps
import NewsflashWorker

/// `--since` and `--until`.
struct TimeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The beginning, by the times of the records: an age such as 30m, 2h or 7d, or an RFC 3339 date-time.",
            valueName: "time"
        )
    )
    var since: String?

    @Option(help: ArgumentHelp("The end, in the same form; without it, now.", valueName: "time"))
    var until: String?

    func validate() throws {
        _ = try range(now: .now())
    }

    /// The times of the options.
    ///
    /// - Parameter now: The current time, from which ages count back.
    /// - Returns: The times; `nil` for options that are not given.
    /// - Throws: `ValidationError` if a time cannot be parsed, or the end is not after the beginning.
    func range(now: Timestamp) throws(ValidationError) -> (since: Timestamp?, until: Timestamp?) {
        let since = try Self.time(self.since, "--since", now)
        let until = try Self.time(self.until, "--until", now)
        if let since, let until, until <= since {
            throw ValidationError("'--until' (\(until.rfc3339)) must be after '--since' (\(since.rfc3339)).")
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
            "'\(option)' cannot be parsed: write an age such as 30m, 2h or 7d, or a date-time such as "
                + "2026-03-02T08:40:00Z."
        )
    }
}
