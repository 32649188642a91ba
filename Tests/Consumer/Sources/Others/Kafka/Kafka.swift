/// Shows that the consumer may have a target of this name.
public enum OtherKafka {}
