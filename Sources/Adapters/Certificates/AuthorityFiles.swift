package import NewsflashTimestamps

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A certificate authority that outlives the process. Its two files in a folder are created once and never written again, so
/// clients can continue to trust it.
package enum AuthorityFiles {
    /// The certificate that clients must trust.
    package static let certificateName = "authority.pem"
    /// The authority's private key; only its owner may read it.
    package static let keyName = "authority-key.pem"
    /// The maximum size of a file, larger than any certificate or key.
    private static let mostBytes = 1 << 20

    /// Reads the authority of a folder, or creates one there.
    ///
    /// The key is created first: if the process ends before the certificate exists, a later call creates it for the same key.
    ///
    /// - Parameters:
    ///   - folder: An existing folder.
    ///   - names: The names for which a new authority may issue certificates, in addition to this machine's.
    ///   - now: The current time.
    /// - Returns: The authority as it is stored.
    /// - Throws: ``CertificateError`` with the file and what to do.
    package static func authority(
        in folder: String,
        for names: [CertificateName] = [],
        now: Timestamp
    ) throws(CertificateError) -> CertificateAuthority {
        try authority(in: folder, for: names, now: now, link: systemLink)
    }

    /// Issues a server's certificate with the authority of a folder.
    ///
    /// - Parameters:
    ///   - folder: An existing folder.
    ///   - names: The server's names; a new authority may issue certificates for these.
    ///   - now: The current time, at which a stored authority must be valid.
    /// - Returns: The server's certificate, and that of the authority, which clients must trust.
    /// - Throws: ``CertificateError`` with what to do.
    package static func vouch(
        in folder: String,
        for names: [CertificateName],
        now: Timestamp
    ) throws(CertificateError) -> (server: ServerCertificate, authority: [UInt8]) {
        let authority = try authority(in: folder, for: names, now: now)
        do throws(CertificateError) {
            return (try authority.vouch(for: names, now: now), authority.certificate)
        } catch {
            guard error.code == .otherNames else { throw error }
            throw CertificateError(
                .otherNames,
                "\(error.message); use the names that the authority in \(folder) was created for, or remove "
                    + "\(certificateName) and \(keyName) there for a new one, which clients must then trust"
            )
        }
    }

    /// Does the same with a replaceable function for hard links.
    static func authority(
        in folder: String,
        for names: [CertificateName],
        now: Timestamp,
        link: (String, String) -> Int32
    ) throws(CertificateError) -> CertificateAuthority {
        let (certificatePath, keyPath) = ("\(folder)/\(certificateName)", "\(folder)/\(keyName)")
        let certificate = try read(certificatePath)
        if certificate != nil, try read(keyPath) == nil {
            throw CertificateError(
                .unreadableFile,
                "\(certificatePath) has no key beside it: restore \(keyName), or remove \(certificateName) for a new "
                    + "authority, which clients must then trust"
            )
        }
        if try read(keyPath) == nil {
            try create(keyPath, CertificateAuthority(now: now).key, link)
        }
        let key = try read(keyPath) ?? []
        do throws(CertificateError) {
            if let certificate { return try CertificateAuthority(certificate: certificate, key: key, now: now) }
            try create(certificatePath, CertificateAuthority(key: key, for: names, now: now).certificate, link)
            return try CertificateAuthority(certificate: read(certificatePath) ?? [], key: key, now: now)
        } catch {
            guard ![.unreadableFile, .unwritableFile, .refused].contains(error.code) else { throw error }
            throw CertificateError(
                error.code,
                "the authority in \(folder) cannot be used: \(error.message); remove \(certificateName) and \(keyName) "
                    + "for a new one, which clients must then trust"
            )
        }
    }

    /// Reads a certificate or a key.
    ///
    /// - Returns: The bytes; `nil` if the file does not exist.
    /// - Throws: ``CertificateError`` with the name of the file.
    package static func read(_ path: String) throws(CertificateError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure(.unreadableFile, "\(path) cannot be read")
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = systemRead(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(.unreadableFile, "\(path) cannot be read") }
            guard count > 0 else { return bytes }
            bytes += piece[..<count]
            guard bytes.count <= mostBytes else {
                throw CertificateError(.unreadableFile, "\(path) is too large for a certificate or a key")
            }
        }
    }

    /// Creates a file that only its owner may read, completely or not at all. It never replaces a file: if one exists
    /// meanwhile, another process was faster, and that file counts.
    private static func create(
        _ path: String,
        _ bytes: [UInt8],
        _ link: (String, String) -> Int32
    ) throws(CertificateError) {
        let draft = "\(path).\(UInt32.random(in: .min ... .max)).new"
        defer { unlink(draft) }
        guard try write(bytes, to: draft, of: path), link(draft, path) != 0 else { return }
        switch errno {
        case EEXIST: return
        // A file system without hard links, such as a network share: then the file is not written atomically, but only once.
        case EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK: _ = try write(bytes, to: path, of: path)
        default: throw failure(.unwritableFile, "\(path) cannot be written")
        }
    }

    /// Writes a new file.
    ///
    /// - Returns: False if it already exists.
    private static func write(_ bytes: [UInt8], to file: String, of path: String) throws(CertificateError) -> Bool {
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == EEXIST { return false }
            throw failure(.unwritableFile, "\(path) cannot be created")
        }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            written += count
        }
        let isWhole = written == bytes.count && fsync(descriptor) == 0
        guard isWhole, close(descriptor) == 0 else {
            let error = failure(.unwritableFile, "\(path) cannot be written")
            if !isWhole { close(descriptor) }
            unlink(file)
            throw error
        }
        return true
    }

    private static func failure(_ code: CertificateError.Code, _ what: String) -> CertificateError {
        let number = errno
        let hint =
            switch number {
            case EACCES, EPERM: "; give this user the right, or name another file"
            case EISDIR: "; name a file"
            default: ""
            }
        return CertificateError(code, "\(what): \(String(cString: strerror(number)))\(hint)")
    }

    private static func systemLink(_ file: String, _ name: String) -> Int32 {
        #if canImport(Glibc)
        Glibc.link(file, name)
        #else
        Darwin.link(file, name)
        #endif
    }

    private static func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
        #if canImport(Glibc)
        Glibc.read(descriptor, buffer, count)
        #else
        Darwin.read(descriptor, buffer, count)
        #endif
    }

    private static func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
        #if canImport(Glibc)
        Glibc.write(descriptor, buffer, count)
        #else
        Darwin.write(descriptor, buffer, count)
        #endif
    }
}
