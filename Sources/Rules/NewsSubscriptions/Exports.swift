// An app that imports this library names channels, tags and templates of the hub, and may bring a transport of its own.
@_exported public import HTTPTransport
@_exported public import NotificationHubsCore
@_exported public import Timestamps
