package import Timestamps

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// An authority that outlives the process: two files in a folder, which are made once and never written again, so that what
/// clients were told to trust stays good.
package enum AuthorityFiles {
    /// What clients are told to trust.
    package static let certificateName = "authority.pem"
    /// The authority's secret; only its owner may read it.
    package static let keyName = "authority-key.pem"
    /// No certificate and no key is as long.
    private static let mostBytes = 1 << 20

    /// Takes the authority of a folder, or makes one there.
    ///
    /// The key is made first: where the process ends before the certificate is there, that is made for the same key later.
    ///
    /// - Parameters:
    ///   - folder: Exists.
    ///   - now: The present instant.
    /// - Returns: As it is kept.
    /// - Throws: ``CertificateError`` that names the file and says what to do.
    package static func authority(in folder: String, now: Timestamp) throws(CertificateError) -> CertificateAuthority {
        let (certificatePath, keyPath) = ("\(folder)/\(certificateName)", "\(folder)/\(keyName)")
        let certificate = try read(certificatePath)
        if certificate != nil, try read(keyPath) == nil {
            throw CertificateError(
                .unreadableFile,
                "\(certificatePath) has no key beside it: put \(keyName) back, or remove \(certificateName) for a new "
                    + "authority, which clients have to be told of"
            )
        }
        if try read(keyPath) == nil {
            try create(keyPath, CertificateAuthority(now: now).key, mode: 0o600)
        }
        let key = try read(keyPath) ?? []
        do throws(CertificateError) {
            if let certificate { return try CertificateAuthority(certificate: certificate, key: key, now: now) }
            let made = try CertificateAuthority(key: key, now: now)
            try create(certificatePath, made.certificate, mode: 0o644)
            return made
        } catch {
            guard ![.unreadableFile, .unwritableFile, .refused].contains(error.code) else { throw error }
            throw CertificateError(
                error.code,
                "the authority in \(folder) cannot be used: \(error.message); remove \(certificateName) and \(keyName) "
                    + "for a new one, which clients have to be told of"
            )
        }
    }

    /// Reads a certificate or a key.
    ///
    /// - Parameter path: Of a file.
    /// - Returns: Nothing where there is none.
    /// - Throws: ``CertificateError`` that names the file.
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

    /// Makes a file whole or not at all, and never in place of another.
    private static func create(_ path: String, _ bytes: [UInt8], mode: mode_t) throws(CertificateError) {
        let draft = "\(path).\(UInt32.random(in: .min ... .max)).new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw failure(.unwritableFile, "\(path) cannot be made") }
        defer { unlink(draft) }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            written += count
        }
        let isWhole = written == bytes.count && fsync(descriptor) == 0
        guard isWhole, close(descriptor) == 0, link(draft, path) == 0 else {
            let error = failure(.unwritableFile, "\(path) cannot be written")
            if !isWhole { close(descriptor) }
            throw error
        }
    }

    private static func failure(_ code: CertificateError.Code, _ what: String) -> CertificateError {
        let number = errno
        let hint =
            switch number {
            case EACCES, EPERM: "; let this user do so, or name another"
            case EISDIR: "; name a file"
            default: ""
            }
        return CertificateError(code, "\(what): \(String(cString: strerror(number)))\(hint)")
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
