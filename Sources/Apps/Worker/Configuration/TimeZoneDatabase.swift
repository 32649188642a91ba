import NewsflashTimestamps

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The time zones of the machine: a folder of TZif files with IANA names.
struct TimeZoneDatabase {
    /// A problem of a name or its file, and what to do.
    struct Problem: Error, Equatable {
        let message: String
    }

    /// The folder of Debian's package tzdata.
    private static let usualFolder = "/usr/share/zoneinfo"
    /// No name is longer.
    private static let longestName = 64

    private let folder: String

    /// Finds the folder.
    ///
    /// - Parameter environment: The variables. `TZDIR` names another folder, as for the C library.
    init(environment: [String: String]) {
        let named = environment["TZDIR"] ?? ""
        folder = named.isEmpty ? Self.usualFolder : named
    }

    /// Reads a time zone.
    ///
    /// - Parameter name: A name such as `Europe/Prague`; never a path that leaves the folder.
    /// - Returns: Its rules.
    /// - Throws: ``Problem``.
    func zone(_ name: String) throws(Problem) -> TimeZoneRules {
        guard Self.isName(name) else {
            throw Problem(message: "'\(name)' is not a time zone name; write an IANA name, such as Europe/Prague")
        }
        let bytes: [UInt8]
        do throws(UnreadableFile) {
            bytes = try FileContent.read("\(folder)/\(name)")
        } catch {
            throw problem(with: name, error)
        }
        do throws(TZifError) {
            return try TimeZoneRules(name: name, tzif: bytes.span)
        } catch {
            throw Problem(
                message: "'\(name)' is not a time zone: \(folder)/\(name) is not a TZif file, \(error); write an "
                    + "IANA name, such as Europe/Prague"
            )
        }
    }

    /// Dots are not allowed, so that no name leads to a parent folder.
    private static func isName(_ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return name.utf8.count <= longestName
            && parts.allSatisfy { part in
                !part.isEmpty && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_+-".contains($0)) }
            }
    }

    private func problem(with name: String, _ error: UnreadableFile) -> Problem {
        switch error.code {
        case ENOENT where !isThere:
            Problem(
                message:
                    "'\(name)' cannot be looked up: the folder \(folder) does not exist; install Debian's package tzdata, "
                    + "or set the variable TZDIR to the folder of the time zones"
            )
        case ENOENT, ENOTDIR, EISDIR:
            Problem(message: "'\(name)' is not a time zone in \(folder); write an IANA name, such as Europe/Prague")
        default:
            Problem(message: "'\(name)': \(folder)/\(name) cannot be read: \(error)")
        }
    }

    private var isThere: Bool { access(folder, F_OK) == 0 }
}

extension ConfigurationSection {
    /// A time zone by its name.
    func timeZone(_ key: String) -> TimeZoneRules? {
        guard let name = text(key) else { return nil }
        do throws(TimeZoneDatabase.Problem) {
            return try TimeZoneDatabase(environment: context.environment).zone(name)
        } catch {
            report(key, error.message)
            return nil
        }
    }

    /// All keys with their time zones, in the order of the file.
    func timeZones() -> [(key: String, zone: TimeZoneRules)] {
        keys.compactMap { key in timeZone(key).map { (key, $0) } }
    }
}
