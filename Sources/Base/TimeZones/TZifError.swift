/// Why bytes are no TZif file.
package struct TZifError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong.
    package let message: String
    /// Bytes from the beginning of the file.
    package let offset: Int

    /// What is wrong and where.
    package var description: String { "\(message) (at byte \(offset))" }
}
