import StrictXML

extension RegistrationXML {
    /// Decodes a list of registrations: an Atom feed.
    ///
    /// - Parameter body: A page of a list.
    /// - Returns: The registrations, in the order of the list.
    /// - Throws: ``DeviceError`` if the document is not such a list, or if an entry cannot be decoded; the error names the
    ///   entry.
    ///   For a hub that does not exist, the service responds with a feed of another title.
    public static func readList(_ body: [UInt8]) throws(DeviceError) -> [Registration] {
        let feed: XMLElement
        do throws(XMLError) {
            feed = try XMLReader.read(body)
        } catch {
            throw DeviceError(.syntax, "The list is not valid XML: \(error.message).")
        }
        guard feed.localName == "feed", feed.first("title")?.text != "Publicly Listed Services" else {
            throw DeviceError(.missing, "The document is not a list of registrations.", at: "feed")
        }
        var registrations: [Registration] = []
        for entry in feed.elements where entry.localName == "entry" {
            let path = "entry \(registrations.count + 1)"
            guard let description = entry.first("content")?.elements.first else {
                throw DeviceError(.missing, "The entry has no registration in its content.", at: path)
            }
            do throws(DeviceError) {
                registrations.append(try RegistrationReader(description).registration())
            } catch {
                throw DeviceError(error.code, error.message, at: "\(path), \(error.path)")
            }
        }
        return registrations
    }
}
