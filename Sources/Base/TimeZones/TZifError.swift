/// The reason why bytes are not a TZif file.
package struct TZifError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A description of the error.
    package let message: String
    /// Bytes from the beginning of the file.
    package let offset: Int

    /// The description with the position.
    package var description: String { "\(message) (at byte \(offset))" }
}
