public import NotificationHubsCore

extension PushChannel {
    /// Apple's channel of the bytes that `didRegisterForRemoteNotificationsWithDeviceToken` brings.
    ///
    /// ```swift
    /// func application(_: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken token: Data) {
    ///     Task { try await news.register(.apns(deviceToken: token)) }
    /// }
    /// ```
    ///
    /// - Parameter deviceToken: The bytes as they came.
    /// - Returns: Their hexadecimal digits in upper case, as the hub keeps them.
    public static func apns(deviceToken: some Sequence<UInt8>) -> PushChannel {
        let digits = Array("0123456789ABCDEF".utf8)
        let text = deviceToken.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return .apns(deviceToken: String(decoding: text, as: UTF8.self))
    }
}
