import NewsflashStrictJSON

/// The rules of Firebase's HTTP v1 API for the body of a message
/// (https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages).
enum FirebaseMessage {
    /// The members that only the hub sets, because it selects the device.
    private static let targets = ["token", "topic", "condition"]
    /// All fields of `Notification`; fields for Android belong to `android`.
    private static let notificationFields: Set<String> = ["title", "body", "image"]

    /// Finds the faults that prevent delivery of a message.
    ///
    /// - Parameters:
    ///   - body: The whole payload.
    ///   - isTemplate: Whether strings may be expressions with unknown values.
    /// - Returns: A text for each fault; empty if Firebase accepts the message.
    static func faults(in body: JSONValue, isTemplate: Bool = false) -> [String] {
        guard let message = body[member: "message"], message.object != nil else {
            return ["Firebase drops it: the outer object \"message\" is missing"]
        }
        var faults: [String] = []
        for target in targets where message[member: target] != nil {
            faults.append("the hub fills in the device: \"message\" must not have \"\(target)\"")
        }
        for member in message[member: "notification"]?.object ?? [] where !notificationFields.contains(member.name) {
            faults.append(
                "Firebase drops it: \"notification\" has title, body and image only, not \"\(member.name.prefix(64))\"; "
                    + "fields for Android belong in android.notification"
            )
        }
        for member in message[member: "data"]?.object ?? [] where !isString(member.value, isTemplate) {
            faults.append("Firebase drops it: values of \"data\" must be strings, \"\(member.name.prefix(64))\" is not")
        }
        return faults
    }

    private static func isString(_ value: JSONValue, _ isTemplate: Bool) -> Bool {
        guard let text = value.string else { return false }
        // A `#( )` expression renders a number if its value is one.
        return !isTemplate || !text.hasPrefix("#")
    }
}
