import StrictJSON

/// What Firebase's HTTP version 1 takes in the body of a message
/// (https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages).
enum FirebaseMessage {
    /// Set by the hub, which knows the device.
    private static let targets = ["token", "topic", "condition"]
    /// All fields of `Notification`; those of Android stand below `android`.
    private static let notificationFields: Set<String> = ["title", "body", "image"]

    /// Finds what keeps a message from arriving.
    ///
    /// - Parameters:
    ///   - body: The whole payload.
    ///   - isTemplate: Whether strings may be expressions, whose values are not known.
    /// - Returns: Each fault in words; nothing where Firebase takes it.
    static func faults(in body: JSONValue, isTemplate: Bool = false) -> [String] {
        guard let message = body[member: "message"], message.object != nil else {
            return ["Firebase drops it: the object \"message\" around everything is missing"]
        }
        var faults: [String] = []
        for target in targets where message[member: target] != nil {
            faults.append("the hub fills in the device: \"message\" must not have \"\(target)\"")
        }
        for member in message[member: "notification"]?.object ?? [] where !notificationFields.contains(member.name) {
            faults.append(
                "Firebase drops it: \"notification\" has title, body and image only, not \"\(member.name.prefix(64))\"; "
                    + "what is Android's stands in android.notification"
            )
        }
        for member in message[member: "data"]?.object ?? [] where !isString(member.value, isTemplate) {
            faults.append("Firebase drops it: values of \"data\" are strings, \"\(member.name.prefix(64))\" is not")
        }
        return faults
    }

    private static func isString(_ value: JSONValue, _ isTemplate: Bool) -> Bool {
        guard let text = value.string else { return false }
        // `#( )` becomes a number as soon as the value is one.
        return !isTemplate || !text.hasPrefix("#")
    }
}
