/// The settings of a hub client.
public struct HubClientConfiguration: Sendable {
    /// The API version; all current SDKs send `2020-06`.
    public var apiVersion: String
    /// The lifetime of a token. It is renewed after three quarters of that time.
    public var tokenLife: Duration
    /// The value of `User-Agent`; identifies the program in the service's logs.
    public var userAgent: String
    /// Creates the `TrackingId` of a request.
    public var trackingID: @Sendable () -> String

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - apiVersion: The API version.
    ///   - tokenLife: The lifetime of a token.
    ///   - userAgent: The value of `User-Agent`.
    ///   - trackingID: Creates the `TrackingId` of a request.
    public init(
        apiVersion: String = "2020-06",
        tokenLife: Duration = .seconds(3600),
        userAgent: String = "newsflash",
        trackingID: @escaping @Sendable () -> String = TrackingID.random
    ) {
        self.apiVersion = apiVersion
        self.tokenLife = tokenLife
        self.userAgent = userAgent
        self.trackingID = trackingID
    }
}
