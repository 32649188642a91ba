public import NotificationHubsCore

extension PushChannel {
    /// Makes Apple's channel from the bytes that `didRegisterForRemoteNotificationsWithDeviceToken` provides.
    ///
    /// ```swift
    /// func application(_: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken token: Data) {
    ///     Task { try await news.register(.apns(deviceToken: token)) }
    /// }
    /// ```
    ///
    /// - Parameter deviceToken: The unchanged bytes.
    /// - Returns: A channel with their hexadecimal digits in upper case, as in the hub.
    public static func apns(deviceToken: some Sequence<UInt8>) -> PushChannel {
        let digits = Array("0123456789ABCDEF".utf8)
        let text = deviceToken.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return .apns(deviceToken: String(decoding: text, as: UTF8.self))
    }
}
