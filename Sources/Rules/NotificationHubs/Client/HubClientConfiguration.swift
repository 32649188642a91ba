/// What may differ between clients of a hub.
public struct HubClientConfiguration: Sendable {
    /// The version of the protocol; all current SDKs send `2020-06`.
    public var apiVersion: String
    /// How long a token lives. It is renewed when three quarters are over.
    public var tokenLife: Duration
    /// Names the program in the service's logs.
    public var userAgent: String
    /// Makes the `TrackingId` of a request.
    public var trackingID: @Sendable () -> String

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - apiVersion: The version of the protocol.
    ///   - tokenLife: How long a token lives.
    ///   - userAgent: Names the program.
    ///   - trackingID: Makes the `TrackingId` of a request.
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
