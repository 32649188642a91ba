/// An installation while a patch changes it: templates and tiles are found by their names, however many there are.
struct PatchedInstallation {
    /// A tile while a patch changes it.
    struct Tile {
        /// But for its templates.
        var tile: SecondaryTile
        var templates: NamedList<InstallationTemplate>

        init(_ tile: SecondaryTile) {
            self.tile = tile
            self.tile.templates = []
            templates = NamedList(tile.templates, name: \.name)
        }

        var whole: SecondaryTile {
            var whole = tile
            whole.templates = templates.elements
            return whole
        }
    }

    /// But for its templates and tiles.
    var installation: Installation
    var templates: NamedList<InstallationTemplate>
    var tiles: NamedList<Tile>

    init(_ installation: Installation) {
        self.installation = installation
        self.installation.templates = []
        self.installation.secondaryTiles = []
        templates = NamedList(installation.templates, name: \.name)
        tiles = NamedList(installation.secondaryTiles.map { Tile($0) }, name: \.tile.name)
    }

    /// The installation with all its parts, in their order.
    var whole: Installation {
        var whole = installation
        whole.templates = templates.elements
        whole.secondaryTiles = tiles.elements.map(\.whole)
        return whole
    }
}

/// Things with names, in the order in which they came: found, changed and removed in constant time.
struct NamedList<Element> {
    private var places: [Element?]
    private var positions: [String: Int] = [:]

    init(_ elements: [Element], name: (Element) -> String) {
        places = []
        for element in elements { set(element, name: name(element)) }
    }

    var elements: [Element] { places.compactMap(\.self) }

    /// Puts a thing in the place of what has its name, or behind all others.
    mutating func set(_ element: Element, name: String) {
        if let position = positions[name] {
            places[position] = element
        } else {
            positions[name] = places.count
            places.append(element)
        }
    }

    mutating func remove(_ name: String) {
        if let position = positions.removeValue(forKey: name) { places[position] = nil }
    }

    /// Changes the thing of a name.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - change: Leaves the name as it is.
    /// - Returns: Whether there is one.
    /// - Throws: What the change throws; the thing is gone then.
    mutating func change<Failure: Error>(
        _ name: String,
        _ change: (inout Element) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        guard let position = positions[name], var element = places[position] else { return false }
        // Taken out while it changes, so that nothing of it is copied.
        places[position] = nil
        try change(&element)
        places[position] = element
        return true
    }
}
