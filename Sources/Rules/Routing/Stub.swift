enum RoutingStub {}
