/// A valid request about the hubs themselves.
enum ManagementWork {
    case describe
    /// `If-Match: *` updates; without the header, the request creates.
    case put(isUpdate: Bool, timeToLive: RegistrationTimeToLive?)
    case delete
    case list
    /// Import and export jobs; refused, because the emulator has no blob storage.
    case jobs
}
