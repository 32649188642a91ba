import NotificationHubs

/// The two forms of a handle of Firebase: a registration token, which begins with the installation id and a colon, and the
/// installation id (FID) alone, which replaces it.
///
/// As soon as an app registers with one form, Firebase responds to the other as to a removed app. Sources:
/// https://github.com/firebase/firebase-android-sdk/issues/8316 and
/// https://github.com/firebase/firebase-js-sdk/discussions/10212.
struct FirebaseHandle: Equatable {
    let installationID: String
    let isToken: Bool

    /// Parses the handle of a channel; `nil` for other platforms and for handles without a FID.
    init?(_ channel: PushChannel) {
        guard let id = channel.firebaseInstallationID else { return nil }
        installationID = id
        isToken = channel.handle != id
    }
}

/// The registrations of each Firebase installation id, by the form of their handles.
struct FirebaseHandles {
    private struct Forms {
        var tokens = 0
        var ids = 0
        /// The form of the latest registration, the only one that Firebase delivers to.
        var isTokenCurrent: Bool
    }

    private var forms: [String: Forms] = [:]

    mutating func insert(_ channel: PushChannel) {
        guard let handle = FirebaseHandle(channel) else { return }
        var forms = forms[handle.installationID] ?? Forms(isTokenCurrent: handle.isToken)
        forms.isTokenCurrent = handle.isToken
        if handle.isToken { forms.tokens += 1 } else { forms.ids += 1 }
        self.forms[handle.installationID] = forms
    }

    mutating func remove(_ channel: PushChannel) {
        guard let handle = FirebaseHandle(channel), var forms = forms[handle.installationID] else { return }
        if handle.isToken { forms.tokens -= 1 } else { forms.ids -= 1 }
        self.forms[handle.installationID] = forms.tokens + forms.ids > 0 ? forms : nil
    }

    /// Whether a device registered later with the other form of the handle, so that Firebase refuses this one.
    func isReplaced(_ channel: PushChannel) -> Bool {
        guard let handle = FirebaseHandle(channel), let forms = forms[handle.installationID] else { return false }
        return forms.isTokenCurrent != handle.isToken
    }

    /// The warning if the hub has both forms of a handle; otherwise `nil`.
    func warning(about channel: PushChannel) -> String? {
        guard let handle = FirebaseHandle(channel), let forms = forms[handle.installationID] else { return nil }
        // A direct send may name a form that is not registered.
        guard handle.isToken ? forms.ids > 0 : forms.tokens > 0 else { return nil }
        return
            "the hub has a registration token and the Firebase installation id of this device: Firebase delivers to the "
            + "one that the app used last; remove the other"
    }
}
