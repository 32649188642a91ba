public import Timestamps

/// A registration as stored by the hub.
public struct Registration: Hashable, Sendable {
    /// The ID, chosen by the hub or the client, for example `7260336227650468927-4200236381151834034-1`.
    public var id: String
    /// The version: 1 at first, incremented with each write.
    public var etag: Int64
    /// When the hub deletes the registration; `nil` for never.
    public var expiration: Timestamp?
    /// The device, its tags and its template.
    public var description: RegistrationDescription

    /// Creates a registration.
    ///
    /// - Parameters:
    ///   - id: The ID.
    ///   - etag: The version, from 1.
    ///   - expiration: When the hub deletes the registration; `nil` for never.
    ///   - description: The device, its tags and its template.
    public init(id: String, etag: Int64 = 1, expiration: Timestamp? = nil, description: RegistrationDescription) {
        self.id = id
        self.etag = etag
        self.expiration = expiration
        self.description = description
    }
}
