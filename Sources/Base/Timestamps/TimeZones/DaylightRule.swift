/// The offsets of a place in all future years: the POSIX `TZ` string of a TZif file (RFC 9636, section 3.3.1).
struct DaylightRule: Sendable, Equatable {
    /// A yearly change of the clocks.
    struct Change: Sendable, Equatable {
        enum Day: Sendable, Equatable {
            /// `Jn`: a day from 1 to 365; 29 February is never counted.
            case withoutLeapDay(Int)
            /// `n`: a day from 0 to 365.
            case ofYear(Int)
            /// `Mm.w.d`: the month, the week from 1 to 5, where 5 is the last, and the weekday from 0, Sunday.
            case ofMonth(Int, week: Int, weekday: Int)
        }

        var day: Day
        /// Seconds from midnight by the clock before the change; may be up to a week away (RFC 9636).
        var time: Int

        /// Returns the change of a year in seconds since the epoch; `offset` is that of the clock before the change.
        func instant(year: Int, offset: Int32) -> Int64 {
            daysSinceEpoch(year: year) * 86_400 + Int64(time) - Int64(offset)
        }

        private func daysSinceEpoch(year: Int) -> Int64 {
            let newYear = CivilDate(year: year, month: 1, day: 1).daysSinceEpoch
            switch day {
            case .withoutLeapDay(let number):
                let isPastLeapDay = number >= 60 && CivilDate.daysInMonth(2, year: year) == 29
                return newYear + Int64(isPastLeapDay ? number : number - 1)
            case .ofYear(let number): return newYear + Int64(number)
            case .ofMonth(let month, let week, let weekday):
                let first = CivilDate(year: year, month: month, day: 1).daysSinceEpoch
                // 1970-01-01 was a Thursday.
                let firstWeekday = Int(((first + 4) % 7 + 7) % 7)
                var day = (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
                if day >= CivilDate.daysInMonth(month, year: year) { day -= 7 }
                return first + Int64(day)
            }
        }
    }

    /// The part of the year with another offset, usually daylight saving time.
    struct Season: Sendable, Equatable {
        var offset: Int32
        var start: Change
        var end: Change
    }

    /// Seconds ahead of UTC.
    var standardOffset: Int32
    /// `nil` if the clocks are never changed.
    var season: Season?

    func period(at seconds: Int64) -> OffsetPeriod {
        guard let season else { return OffsetPeriod(offset: standardOffset, end: .max) }
        let days = min(max(seconds, -Self.furthest), Self.furthest) / 86_400
        let year = CivilDate(daysSinceEpoch: days).year
        var latest = Int64.min
        var period = OffsetPeriod(offset: standardOffset, end: .max)
        // A change may be a week outside its year, and both changes may be at the same end of it.
        for year in (year - 2)...(year + 2) {
            let end = season.end.instant(year: year, offset: season.offset)
            let start = season.start.instant(year: year, offset: standardOffset)
            if end <= seconds, end > latest { (latest, period.offset) = (end, standardOffset) }
            // If a season ends when the next one begins, it continues.
            if start <= seconds, start >= latest { (latest, period.offset) = (start, season.offset) }
            for change in [end, start] where change > seconds && change < period.end { period.end = change }
        }
        return period
    }

    /// Limits the time to a range of years that can be computed.
    private static let furthest: Int64 = 1 << 40
}
