//! The coordinator: a pure scheduler, a redb store, a ledger of values, gRPC services.
