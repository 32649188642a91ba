import StrictXML

extension RegistrationXML {
    /// Reads the registrations from a list of the hub: an Atom feed.
    ///
    /// - Parameter body: A page of a list.
    /// - Returns: In their order.
    /// - Throws: ``DeviceError`` where it is no such list: the service answers for a hub that there is not with a feed of
    ///   another title; and where one of them cannot be read, with its place.
    public static func readList(_ body: [UInt8]) throws(DeviceError) -> [Registration] {
        let feed: XMLElement
        do throws(XMLError) {
            feed = try XMLReader.read(body)
        } catch {
            throw DeviceError(.syntax, "The list is not valid XML: \(error.message).")
        }
        guard feed.localName == "feed", feed.first("title")?.text != "Publicly Listed Services" else {
            throw DeviceError(.missing, "The document is no list of registrations.", at: "feed")
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
