import HTTPTransport
import NotificationHubs
import Rendering

extension HubMessage {
    /// A native message with the headers of its platform.
    ///
    /// - Parameters:
    ///   - payload: As Rendering made it.
    ///   - form: Its platform.
    ///   - push: What lets platforms replace and forget it, and how much it disturbs.
    /// - Throws: `HubMessageError`, which no such payload brings about.
    init(native payload: NativePayload, _ form: SendForm, _ push: PushTraits) throws {
        var headers: HTTPHeaders = []
        let format: PushFormat
        switch form {
        case .apns:
            format = .apple
            headers = try .apns(
                pushType: "alert",
                priority: push.interruption.isQuiet ? .considerate : .immediate,
                expiration: push.expires,
                collapseID: push.collapseID
            )
        case .wns:
            format = .windows
            headers = .wns(type: .toast, timeToLive: push.timeToLive, tag: push.collapseID, group: "newsflash")
            // Straight to the list of notifications.
            if push.interruption.isQuiet { headers.append("X-WNS-SuppressPopup", "true") }
        case .fcmv1: format = .fcmv1
        case .adm: format = .adm
        case .browser: format = .browser
        case .template: format = .template
        }
        try self.init(rendered: payload.body, format: format, headers: headers)
    }
}
