import NewsflashBasics

extension PushChannel {
    /// The Firebase installation ID of the app on its device; `nil` for other platforms and for handles without one.
    ///
    /// The handle is the ID itself, or a registration token, which consists of the ID, a colon and a secret:
    /// `cRxdF0A5TTSGbb8uYyDkzI:APA91b…`. An ID has 22 characters of base64url
    /// (https://firebase.google.com/docs/projects/manage-installations). Handles with the same ID belong to one app on one device,
    /// and Firebase delivers to only one of them: the one that was registered last.
    package var firebaseInstallationID: String? {
        guard platform == .fcmv1 else { return nil }
        let id = handle.prefix { $0 != ":" }
        let isID = id.utf8.count == 22 && id.utf8.allSatisfy { $0.isLetterOrDigit || "-_".utf8.contains($0) }
        return isID ? String(id) : nil
    }
}
