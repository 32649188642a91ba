/// A day of the proleptic Gregorian calendar, for converting instants to text and back.
package struct CivilDate: Equatable {
    package var year: Int
    package var month: Int
    package var day: Int

    /// Days from 1970-01-01 to this day.
    ///
    /// Counts years from March, so that the leap day is the last day of its year.
    package var daysSinceEpoch: Int64 {
        let shiftedYear = Int64(month <= 2 ? year - 1 : year)
        let era = shiftedYear.flooredDivision(by: 400)
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = Int64((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1)
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    package init(daysSinceEpoch days: Int64) {
        let shifted = days + 719_468
        let era = shifted.flooredDivision(by: 146_097)
        // Small and never negative, which makes divisions much faster.
        let dayOfEra = UInt32(truncatingIfNeeded: shifted - era * 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        self.day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
        self.month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
        self.year = Int(yearOfEra) + Int(era) * 400 + (month <= 2 ? 1 : 0)
    }

    /// Whether the date exists; 30 February does not.
    package var isReal: Bool {
        guard (1...12).contains(month), day >= 1 else { return false }
        return day <= Self.daysInMonth(month, year: year)
    }

    /// Returns the number of days of a month.
    ///
    /// - Parameters:
    ///   - month: The month, from 1.
    ///   - year: The year of the month.
    /// - Returns: A number from 28 to 31.
    package static func daysInMonth(_ month: Int, year: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
