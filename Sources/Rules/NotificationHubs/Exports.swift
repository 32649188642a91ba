// Who imports this library has what it shares with apps too.
@_exported public import NotificationHubsCore
