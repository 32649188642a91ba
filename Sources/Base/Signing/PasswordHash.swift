// For servers only: CryptoKit has no scrypt, and apps do not hash passwords.
#if !canImport(CryptoKit)
import CNewsflashCrypto

/// The stored form of a password: a salted hash that is slow to compute (scrypt, RFC 7914), with all parameters of the
/// computation.
///
/// Its text has the PHC string format: `$scrypt$ln=15,r=8,p=3$SALT$HASH`, base 64 without padding.
package struct PasswordHash: Sendable, Equatable {
    /// The work and memory that a hash needs.
    package struct Cost: Sendable, Hashable {
        /// The binary logarithm of the number of rounds.
        package let logRounds: Int
        /// The size of a block, in units of 128 bytes.
        package let blockSize: Int
        /// The number of repetitions of the whole computation.
        package let repetitions: Int

        /// 32 MiB, three times: a minimum that OWASP recommends if memory is limited.
        package static let standard = Cost(checked: 15, 8, 3)

        private init(checked logRounds: Int, _ blockSize: Int, _ repetitions: Int) {
            self.logRounds = logRounds
            self.blockSize = blockSize
            self.repetitions = repetitions
        }

        /// Creates a cost; `nil` if a hash would need more than ``maximumMemory``.
        ///
        /// - Parameters:
        ///   - logRounds: From 1 to 20.
        ///   - blockSize: From 1 to 32.
        ///   - repetitions: From 1 to 16.
        package init?(logRounds: Int, blockSize: Int, repetitions: Int) {
            guard (1...20).contains(logRounds), (1...32).contains(blockSize), (1...16).contains(repetitions) else {
                return nil
            }
            self.init(checked: logRounds, blockSize, repetitions)
            guard memory <= Self.maximumMemory else { return nil }
        }

        /// The maximum memory of a hash, in bytes. It prevents a manipulated stored form from requesting more.
        package static let maximumMemory = 128 << 20

        /// The memory that a hash needs, in bytes.
        package var memory: Int { 128 * blockSize * (1 << logRounds) }

        /// The duration of a hash, as a relative number.
        package var work: Int { memory * repetitions }
    }

    /// The maximum length of a password in bytes. Longer ones would only burden the server.
    package static let maximumPasswordBytes = 1024
    private static let hashBytes = 32
    private static let saltBytes = 16

    /// The work and memory of this hash.
    package let cost: Cost
    private let salt: [UInt8]
    private let hash: [UInt8]

    /// Hashes a password with a random salt. Takes a large part of a second, so do not call it on the threads of tasks.
    ///
    /// - Parameters:
    ///   - password: At most ``maximumPasswordBytes`` bytes; the caller must refuse longer ones.
    ///   - cost: The work and memory to use.
    /// - Throws: ``PasswordHashError`` if there is not enough memory.
    package init(of password: [UInt8], cost: Cost = .standard) throws(PasswordHashError) {
        var generator = SystemRandomNumberGenerator()
        let salt = (0..<Self.saltBytes).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        self.cost = cost
        self.salt = salt
        self.hash = try Self.derive(password, salt: salt, cost: cost, count: Self.hashBytes)
    }

    /// Parses the stored form.
    ///
    /// - Parameter text: A text in the format of ``text``; `nil` for any other format, or a cost beyond the bounds.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt", let cost = Cost(parts[2]),
            let salt = Self.decode(parts[3]), (8...64).contains(salt.count),
            let hash = Self.decode(parts[4]), (16...64).contains(hash.count)
        else { return nil }
        self.cost = cost
        self.salt = salt
        self.hash = hash
    }

    /// The stored form. Do not log it: anyone who has it can try passwords.
    package var text: String {
        let form = "ln=\(cost.logRounds),r=\(cost.blockSize),p=\(cost.repetitions)"
        return "$scrypt$\(form)$\(Self.encode(salt))$\(Self.encode(hash))"
    }

    /// Returns whether a password matches. Takes as long as creating the hash, regardless of the result.
    ///
    /// - Parameter password: At most ``maximumPasswordBytes`` bytes; the caller must refuse longer ones.
    /// - Returns: Whether the password matches.
    /// - Throws: ``PasswordHashError`` if there is not enough memory.
    package func matches(_ password: [UInt8]) throws(PasswordHashError) -> Bool {
        isEqualInConstantTime(try Self.derive(password, salt: salt, cost: cost, count: hash.count), hash)
    }

    private static func derive(
        _ password: [UInt8],
        salt: [UInt8],
        cost: Cost,
        count: Int
    ) throws(PasswordHashError) -> [UInt8] {
        var key = [UInt8](repeating: 0, count: count)
        let done = unsafe password.withUnsafeBytes { bytes in
            unsafe EVP_PBE_scrypt(
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                bytes.count,
                salt,
                salt.count,
                UInt64(1) << UInt64(cost.logRounds),
                UInt64(cost.blockSize),
                UInt64(cost.repetitions),
                // scrypt needs slightly more memory than the blocks themselves.
                UInt64(Cost.maximumMemory + (1 << 20)),
                &key,
                key.count
            )
        }
        guard done == 1 else { throw PasswordHashError() }
        return key
    }

    private static func encode(_ bytes: [UInt8]) -> String {
        String(Base64.encode(bytes).prefix { $0 != "=" })
    }

    private static func decode(_ text: some StringProtocol) -> [UInt8]? {
        guard !text.contains("="), text.utf8.count <= 128 else { return nil }
        return Base64.decode(String(text) + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4))
    }
}

/// The error if memory for hashing a password is missing, or libcrypto has no scrypt.
package struct PasswordHashError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The text for the person on call.
    package var description: String { "a password could not be hashed: there is not enough memory [password_hash]" }
}

extension PasswordHash: CustomStringConvertible, CustomReflectable {
    /// A description without the hash.
    package var description: String { "PasswordHash(<redacted>)" }
    /// A mirror without the hash.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension PasswordHash.Cost {
    /// Parses `ln=15,r=8,p=3`.
    fileprivate init?(_ text: some StringProtocol) {
        var numbers: [Int] = []
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        for (part, name) in zip(parts, ["ln=", "r=", "p="]) {
            let digits = part.dropFirst(name.count)
            guard part.hasPrefix(name), (1...2).contains(digits.utf8.count),
                digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let number = Int(digits)
            else { return nil }
            numbers.append(number)
        }
        self.init(logRounds: numbers[0], blockSize: numbers[1], repetitions: numbers[2])
    }
}
#endif
