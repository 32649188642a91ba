public import Timestamps

/// A registration as the hub keeps it.
public struct Registration: Hashable, Sendable {
    /// The hub's or the client's name for it: `7260336227650468927-4200236381151834034-1`.
    public var id: String
    /// Grows by one with each write, from one.
    public var etag: Int64
    /// When the hub drops it; nothing for never.
    public var expiration: Timestamp?
    /// What the device registered.
    public var description: RegistrationDescription

    /// Makes a registration.
    ///
    /// - Parameters:
    ///   - id: Its name.
    ///   - etag: From one.
    ///   - expiration: Nothing for never.
    ///   - description: What the device registered.
    public init(id: String, etag: Int64 = 1, expiration: Timestamp? = nil, description: RegistrationDescription) {
        self.id = id
        self.etag = etag
        self.expiration = expiration
        self.description = description
    }
}
