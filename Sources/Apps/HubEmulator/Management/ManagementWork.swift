/// What a request asks of the hubs themselves.
enum ManagementWork {
    case describe
    /// `If-Match: *` updates, anything else creates.
    case put(isUpdate: Bool, timeToLive: RegistrationTimeToLive?)
    case delete
    case list
    /// Jobs read and write blobs, which the emulator has none of.
    case jobs
}
