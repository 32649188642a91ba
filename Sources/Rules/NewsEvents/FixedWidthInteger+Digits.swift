import ASCII

extension FixedWidthInteger {
    /// Reads a number that consists of decimal digits only. The standard library would also accept a sign.
    ///
    /// - Parameter digits: Leading zeros are allowed. The result is `nil` if the number does not fit.
    package init?(digits: some StringProtocol) {
        guard !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit) else { return nil }
        self.init(digits, radix: 10)
    }
}
