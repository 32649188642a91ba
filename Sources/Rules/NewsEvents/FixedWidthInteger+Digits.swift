import ASCII

extension FixedWidthInteger {
    /// Reads a number written in decimal digits alone, without a sign, which the standard library allows.
    ///
    /// - Parameter digits: Leading zeros are allowed; `nil` for a number that does not fit.
    package init?(digits: some StringProtocol) {
        guard !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit) else { return nil }
        self.init(digits, radix: 10)
    }
}
