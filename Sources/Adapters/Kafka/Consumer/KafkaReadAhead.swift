/// The limit of messages that a consumer hands over before its owner releases earlier ones.
///
/// A message counts until the last reference to its ``KafkaMessage`` is released, so no call is needed to give it back.
public struct KafkaReadAhead: Sendable, Hashable {
    /// The maximum number of bytes in use. A single message that is larger is handed over when no other is in use.
    public var byteLimit: Int
    /// The memory that the owner needs for each message in addition to its bytes; counted for each.
    public var bytesBesideMessage: Int

    /// Creates a limit.
    ///
    /// - Parameters:
    ///   - byteLimit: The maximum number of bytes in use.
    ///   - bytesBesideMessage: The memory that the owner needs for each message in addition to its bytes.
    public init(byteLimit: Int, bytesBesideMessage: Int = 0) {
        self.byteLimit = byteLimit
        self.bytesBesideMessage = bytesBesideMessage
    }
}
