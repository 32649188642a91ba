/// An installation during a patch: templates and tiles are found by name in constant time.
struct PatchedInstallation {
    /// A tile during a patch.
    struct Tile {
        /// The tile without its templates.
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

    /// The installation without its templates and tiles.
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

    /// The complete installation, with its parts in order.
    var whole: Installation {
        var whole = installation
        whole.templates = templates.elements
        whole.secondaryTiles = tiles.elements.map(\.whole)
        return whole
    }
}

/// Named elements in insertion order: found, changed and removed in constant time.
struct NamedList<Element> {
    private var places: [Element?]
    private var positions: [String: Int] = [:]

    init(_ elements: [Element], name: (Element) -> String) {
        places = []
        for element in elements { set(element, name: name(element)) }
    }

    var elements: [Element] { places.compactMap(\.self) }

    /// Replaces the element of this name, or appends a new one.
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

    /// Changes the element of a name.
    ///
    /// - Parameters:
    ///   - name: The element's name.
    ///   - change: Changes the element; must not change its name.
    /// - Returns: Whether the element exists.
    /// - Throws: The error of `change`; the element is removed then.
    mutating func change<Failure: Error>(
        _ name: String,
        _ change: (inout Element) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        guard let position = positions[name], var element = places[position] else { return false }
        // Removed during the change, so that it is not copied.
        places[position] = nil
        try change(&element)
        places[position] = element
        return true
    }
}
