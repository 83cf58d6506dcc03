//! The wire contract of Sprague: gRPC services and messages.
