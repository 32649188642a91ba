import Testing

/// A signed-in user who tries to get what belongs to another: a device, a name, a tag, a text.
struct HostileReader: Sendable, CustomTestStringConvertible {
    let name: String
    var user = "bob"
    var method = "GET"
    /// The target; names in braces, such as `{anna's registration}`, stand for values of the world.
    let target: String
    var body: String?
    let status: Int

    var testDescription: String { name }

    /// All hostile users.
    static let all: [HostileReader] =
        foreignDevices + handles + reservedTags + installations + patches + users + events + texts

    private static func put(_ name: String, _ target: String, _ body: String, _ status: Int = 403) -> Self {
        HostileReader(name: name, method: "PUT", target: target, body: body, status: status)
    }

    private static func patch(_ name: String, _ operation: String, of id: String = "bob-phone", _ status: Int = 403)
        -> Self
    {
        HostileReader(
            name: name,
            method: "PATCH",
            target: "/api/installations/\(id)",
            body: "[\(operation)]",
            status: status
        )
    }

    private static func tags(_ name: String, _ list: String, _ status: Int) -> Self {
        put(name, "/api/register/9-9-1", #"{"Platform":"apns","Handle":"B0","Tags":\#(list)}"#, status)
    }

    private static func installation(_ name: String, _ members: String, _ status: Int = 403) -> Self {
        put(name, "/api/installations/bob-phone", #"{"platform":"apns","pushChannel":"B0",\#(members)}"#, status)
    }

    private static func notify(_ name: String, as user: String = "bob", _ query: String, _ status: Int) -> Self {
        HostileReader(
            name: name,
            user: user,
            method: "POST",
            target: "/api/notifications?\(query)",
            body: #""Hi""#,
            status: status
        )
    }

    private static func text(_ name: String, as user: String = "bob", _ id: String, _ status: Int) -> Self {
        HostileReader(name: name, user: user, target: "/api/notifications/\(id)", status: status)
    }

    // MARK: - Devices

    private static let foreignDevices: [HostileReader] = [
        put("a registration, with a handle of one's own", "/api/register/{anna's registration}", registration("B0")),
        put("a registration, with a part of its handle", "/api/register/{anna's registration}", registration("A1A1")),
        put(
            "a registration, with its handle on another platform",
            "/api/register/{anna's registration}",
            #"{"Platform":"gcm","Handle":"A1A1A1","Tags":[]}"#
        ),
        HostileReader(
            name: "a registration is deleted",
            method: "DELETE",
            target: "/api/register/{anna's registration}",
            status: 403
        ),
        put("an id that was given to another", "/api/register/{anna's new id}", registration("B0")),
        HostileReader(
            name: "such an id is deleted",
            method: "DELETE",
            target: "/api/register/{anna's new id}",
            status: 403
        ),
        put("the registration of an installation", "/api/register/{anna-phone's registration}", registration("A2A2A2")),
        HostileReader(
            name: "the registration of an installation is deleted",
            method: "DELETE",
            target: "/api/register/{anna-phone's registration}",
            status: 403
        ),
        put("an installation, with a handle of one's own", "/api/installations/anna-phone", installation("B0")),
        put(
            "an installation, with its handle on another platform",
            "/api/installations/anna-phone",
            #"{"platform":"gcm","pushChannel":"A2A2A2"}"#
        ),
        HostileReader(name: "an installation is read", target: "/api/installations/anna-phone", status: 403),
        HostileReader(
            name: "an installation is deleted",
            method: "DELETE",
            target: "/api/installations/anna-phone",
            status: 403
        ),
        patch("an installation is changed", #"{"op":"add","path":"/tags","value":"World"}"#, of: "anna-phone"),
        patch(
            "an installation is changed to a handle of one's own",
            #"{"op":"replace","path":"/pushChannel","value":"B0"}"#,
            of: "anna-phone"
        ),
        patch(
            "an installation is changed to the handle that it has",
            #"{"op":"replace","path":"/pushChannel","value":"A2A2A2"}"#,
            of: "anna-phone"
        ),
        patch(
            "an installation that is not there is changed",
            #"{"op":"add","path":"/tags","value":"a"}"#,
            of: "no-phone",
            404
        ),
        HostileReader(
            name: "a registration that is not there is deleted",
            method: "DELETE",
            target: "/api/register/1-1-1",
            status: 404
        ),
    ]

    private static let handles: [HostileReader] = [
        HostileReader(
            name: "a filter in a handle",
            method: "POST",
            target: "/api/register?handle=A1A1A1'%20or%20'a'%20eq%20'a",
            status: 400
        ),
        HostileReader(
            name: "a wildcard for a handle",
            method: "POST",
            target: "/api/register?handle=%5E.*",
            status: 400
        ),
        HostileReader(
            name: "two handles",
            method: "POST",
            target: "/api/register?handle=B0&handle=A1A1A1",
            status: 400
        ),
        HostileReader(
            name: "a handle of 5,000 characters",
            method: "POST",
            target: "/api/register?handle=" + String(repeating: "a", count: 5000),
            status: 400
        ),
        put("a handle that is an array", "/api/register/9-9-1", #"{"Platform":"apns","Handle":["A1A1A1"]}"#, 400),
        put(
            "a handle twice, in two cases",
            "/api/register/9-9-1",
            #"{"Platform":"apns","Handle":"B0","handle":"A1A1A1"}"#,
            400
        ),
        put("no handle", "/api/register/9-9-1", #"{"Platform":"apns","Tags":[]}"#, 400),
        put("a token of an odd length", "/api/register/9-9-1", registration("A1A1A"), 400),
        put("an id with an expression", "/api/register/9-9-1%7C%7C1", registration("B0"), 400),
        put("an installation id with an expression", "/api/installations/a%20%7C%7C%20b", installation("B0"), 400),
    ]

    private static let reservedTags: [HostileReader] = [
        tags("the tag of another user", #"["username:anna"]"#, 403),
        tags("the tag of another user, in another case", #"["USERNAME:anna"]"#, 403),
        tags("the tag of another user, after one's own", #"["Sports","World","userName:anna"]"#, 403),
        tags("the tag of one's own", #"["username:bob"]"#, 403),
        tags("the tag of nobody", #"["username:"]"#, 403),
        tags("the tag of a user with a blank", #"["username:anna "]"#, 403),
        tags("the hub's tag of a user", #"["$UserId:{anna}"]"#, 403),
        tags("the hub's tag of an installation", #"["$InstallationId:{anna-phone}"]"#, 403),
        tags("the tag of probes", #"["newsflash-probe"]"#, 403),
        tags("the tag of probes, in another case", #"["NEWSFLASH-Probe"]"#, 403),
        tags("a blank before the tag of a user", #"[" username:anna"]"#, 400),
        tags("two tags in one", #"["Sports,username:anna"]"#, 400),
        tags("an expression", #"["Sports || username:anna"]"#, 400),
        tags("full-width letters", #"["\uff55sername:anna"]"#, 400),
        tags("a long s", #"["u\u017fername:anna"]"#, 400),
        tags("a zero-width blank", #"["username\u200b:anna"]"#, 400),
        tags("a NUL", #"["Sports\u0000username:anna"]"#, 400),
        tags("a text for the list", #""username:anna""#, 400),
        tags("a list in the list", #"[["username:anna"]]"#, 400),
        tags("121 characters", "[\"" + String(repeating: "a", count: 121) + "\"]", 400),
        tags("60 tags", "[" + (0..<60).map { "\"t\($0)\"" }.joined(separator: ",") + "]", 400),
    ]

    private static let installations: [HostileReader] = [
        installation("another's user id", #""userId":"anna""#),
        installation("the tag of another user", #""tags":["username:anna"]"#),
        installation("the hub's tag of another user", #""tags":["$UserId:{anna}"]"#),
        installation(
            "a template with the tag of another user",
            #""templates":{"t":{"body":"{}","tags":["username:anna"]}}"#
        ),
        installation("a template called as the tag of another user", #""templates":{"username:anna":{"body":"{}"}}"#),
        installation("a template called as a tag of the hub", #""templates":{"$UserId:{anna}":{"body":"{}"}}"#),
        installation("a template called as the tag of probes", #""templates":{"newsflash-probe":{"body":"{}"}}"#),
        put(
            "a tile with the tag of another user",
            "/api/installations/bob-pc",
            #"{"platform":"wns","pushChannel":"https://w/","secondaryTiles":{"t":{"pushChannel":"https://w/2","tags":["username:anna"]}}}"#
        ),
        put(
            "an id that is another's in the body",
            "/api/installations/bob-phone",
            #"{"installationId":"anna-phone","platform":"apns","pushChannel":"B0"}"#,
            400
        ),
        put(
            "60 tags",
            "/api/installations/bob-phone",
            #"{"platform":"apns","pushChannel":"B0","tags":["# + (0..<60).map { "\"t\($0)\"" }.joined(separator: ",")
                + "]}",
            400
        ),
    ]

    private static let patches: [HostileReader] = [
        patch("the user of one's own installation", #"{"op":"replace","path":"/userId","value":"anna"}"#),
        patch("the user, in another case", #"{"op":"replace","path":"/USERID","value":"anna"}"#),
        patch("the tag of another user", #"{"op":"add","path":"/tags","value":"username:anna"}"#),
        patch("the tag of another user by its path", #"{"op":"add","path":"/tags/username:anna"}"#),
        patch("one's own tag is removed", #"{"op":"remove","path":"/tags/username:bob"}"#),
        patch("the hub's tag by its path", #"{"op":"add","path":"/tags/$UserId:{anna}"}"#),
        patch(
            "a template called as the tag of another user",
            #"{"op":"add","path":"/templates/username:anna","value":{"body":"{}"}}"#
        ),
        patch("an escaped path", #"{"op":"replace","path":"/\u0075serId","value":"anna"}"#),
        patch("the path twice", #"{"op":"replace","path":"/tags","path":"/userId","value":"anna"}"#, 400),
    ]

    // MARK: - Users, events

    private static let users: [HostileReader] = [
        notify("a message to another, without the right", "pns=apns&to_tag=anna", 403),
        notify("a message to another, in another case", "pns=apns&to_tag=Anna", 403),
        notify("a test to another", as: "desk", "pns=apns&to_tag=anna&test", 403),
        notify("a message to two", "pns=apns&to_tag=bob&to_tag=anna", 400),
        notify("a message to an expression", "pns=apns&to_tag=bob%7C%7Canna", 400),
        notify("a message to a tag", "pns=apns&to_tag=username:anna", 400),
        notify("a message to everybody", "pns=apns&to_tag=*", 400),
        notify("a message to a tag of the hub", "pns=apns&to_tag=%24UserId:%7Banna%7D", 400),
        notify("a message to nobody", as: "desk", "pns=apns&to_tag=mallory", 404),
        notify("a message to a platform of templates", "pns=template&to_tag=bob", 400),
    ]

    private static let kill =
        #"{"v":1,"id":"k","story":"quake","revision":9,"kind":"kill","published":"2026-03-02T09:40:00Z"}"#

    private static let events: [HostileReader] = [
        HostileReader(name: "a kill by a reader", method: "POST", target: "/api/events", body: kill, status: 403),
        HostileReader(name: "no event by a reader", method: "POST", target: "/api/events", body: "{}", status: 403),
        HostileReader(name: "an outcome by a reader", target: "/api/events/k", status: 403),
        HostileReader(
            name: "a kill for a source that is not there",
            user: "desk",
            method: "POST",
            target: "/api/events?source=x",
            body: kill,
            status: 400
        ),
    ]

    // MARK: - Secure texts

    private static let texts: [HostileReader] = [
        text("another's, by its token", "{for anna}", 404),
        text("another's, by the desk's id", "for-anna", 404),
        text("one's own, by the desk's id", as: "anna", "for-anna", 404),
        text("an id that counts up", as: "anna", "for-anna-2", 404),
        text("of a category that no device of one's own has", "{for World}", 404),
        text("what the desk holds", as: "anna", "{held}", 404),
        text("what the desk held under embargo", as: "anna", "{embargoed}", 404),
        text("what could not be sent", as: "anna", "{invalid}", 404),
        text("what a hub refused", as: "anna", "{refused}", 404),
        text("what was a test", as: "anna", "{test}", 404),
        text("what travelled in the open", as: "anna", "{open}", 404),
        text("what has expired", as: "anna", "{expired}", 404),
        text("what was withdrawn", as: "anna", "{killed}", 410),
        text("another's that was withdrawn", "{killed}", 404),
        text("what has no outcome yet", as: "anna", "{undecided}", 503),
        text("a token under another key", as: "anna", "{under another key}", 404),
        text("a part of a token", as: "anna", "{part of a token}", 404),
        text("a token and more", as: "anna", "{for anna}=", 404),
        text("a token in another case", as: "anna", "{token in capitals}", 404),
        text("the token of no key", as: "anna", "no-key", 404),
        text("an id with a slash", as: "anna", "urn:x%2Fy", 404),
        text("a long id", as: "anna", String(repeating: "a", count: 257), 400),
        text("a dot segment", as: "anna", "%2e%2e", 400),
        text("a NUL", as: "anna", "a%00", 400),
        HostileReader(name: "without signing in", user: "", target: "/api/notifications/{for anna}", status: 401),
        HostileReader(name: "with a wrong name", user: "mallory", target: "/api/notifications/{for anna}", status: 401),
        HostileReader(
            name: "a text is deleted",
            user: "anna",
            method: "DELETE",
            target: "/api/notifications/{for anna}",
            status: 405
        ),
    ]

    private static func registration(_ handle: String) -> String {
        #"{"Platform":"apns","Handle":"\#(handle)","Tags":[]}"#
    }

    private static func installation(_ handle: String) -> String { #"{"platform":"apns","pushChannel":"\#(handle)"}"# }
}
