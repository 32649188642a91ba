extension SendForm {
    /// The most bytes of a payload.
    ///
    /// Sources: Apple, Generating a remote notification; Firebase, Set and manage message priority; Windows, Send a WNS native
    /// notification (5 KB, of which a little is left); Amazon, Send a message; web push, RFC 8291: 4096 bytes with what
    /// encryption adds. For templates the hub's own limit.
    package var maximumBytes: Int {
        switch self {
        case .template: TemplateProperties.maximumBytes
        case .apns, .fcmv1: 4096
        case .wns: 5000
        case .adm: 6144
        case .browser: 3993
        }
    }

    /// How texts are written in it.
    var encoding: TextEncoding { self == .wns ? .xml : .json }
}
