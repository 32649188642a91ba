/// The rows of the table by their paths.
struct ConfigurationTree {
    private(set) var children: [String: ConfigurationTree] = [:]
    private(set) var row: ConfigurationRow?

    mutating func insert(_ row: ConfigurationRow) { insert(row, at: row.path[...]) }

    private mutating func insert(_ row: ConfigurationRow, at path: ArraySlice<String>) {
        guard let first = path.first else { return self.row = row }
        children[first, default: ConfigurationTree()].insert(row, at: path.dropFirst())
    }

    /// Finds the node of a path in a file; `*` has any name.
    func node(at path: ArraySlice<String>) -> ConfigurationTree? {
        guard let first = path.first else { return self }
        return (children[first] ?? children["*"])?.node(at: path.dropFirst())
    }
}
