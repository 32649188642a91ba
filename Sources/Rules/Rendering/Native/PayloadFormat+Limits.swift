extension PayloadFormat {
    /// The maximum size of a payload in bytes.
    ///
    /// Sources: Apple, Generating a remote notification; Firebase, Set and manage message priority; Windows, Send a WNS
    /// native notification (5 KB, minus a reserve); Amazon, Send a message; web push, RFC 8291: 4096 bytes including what
    /// encryption adds. For templates, the hub's limit.
    package var maximumBytes: Int {
        switch self {
        case .template: TemplateProperties.maximumBytes
        case .apns, .fcmv1: 4096
        case .wns: 5000
        case .adm: 6144
        case .browser: 3993
        }
    }

    /// The encoding of texts in it.
    var encoding: TextEncoding { self == .wns ? .xml : .json }
}
