/// How much a consumer may hand over before its owner has let go of what came earlier.
///
/// What was handed over counts until the last reference to its ``KafkaMessage`` goes, so nobody has to give anything back.
public struct KafkaReadAhead: Sendable, Hashable {
    /// The most bytes that may be out at once. One message that alone is larger is handed over when nothing else is out.
    public var byteLimit: Int
    /// What the owner needs in memory for one message besides its bytes; counted for each.
    public var bytesBesideMessage: Int

    /// Makes a limit.
    ///
    /// - Parameters:
    ///   - byteLimit: The most bytes that may be out at once.
    ///   - bytesBesideMessage: What the owner needs in memory for one message besides its bytes.
    public init(byteLimit: Int, bytesBesideMessage: Int = 0) {
        self.byteLimit = byteLimit
        self.bytesBesideMessage = bytesBesideMessage
    }
}
