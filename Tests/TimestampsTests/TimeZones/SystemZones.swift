import FoundationEssentials

/// The time zone database of the machine, if it has one.
enum SystemZones {
    static let folder = FileManager.default.fileExists(atPath: usual + "/tzdata.zi") ? usual : nil

    private static let usual = "/usr/share/zoneinfo"

    /// Returns the zones in the list that comes with the files.
    static func names() throws -> [String] {
        let data = FileManager.default.contents(atPath: usual + "/zone1970.tab")
        let lines = String(decoding: data ?? Data(), as: UTF8.self).split(separator: "\n").filter { $0.first != "#" }
        return lines.compactMap { line in
            let fields = line.split(separator: "\t")
            return fields.count > 2 ? String(fields[2]) : nil
        }
    }

    static func file(_ name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: "\(usual)/\(name)").map(Array.init)
    }
}
