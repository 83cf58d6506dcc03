//! The wire contract of Sprague: messages, services, access files, and how to reach a coordinator.
//!
//! The messages are in `sprague/v1/*.proto` with their meaning; [`v1`] is the code generated from
//! them. [`convert`] turns them into the words of `sprague-work` and back. [`Access`] is the file
//! that lets a worker or an operator in; [`connect`] opens a channel with it.
//!
//! ```
//! use sprague_proto::v1::AttemptId;
//! use sprague_work::{Attempt, JobId, UnitId};
//!
//! let unit = UnitId { job: JobId(7), number: 3 };
//! let on_the_wire = AttemptId::new(unit, Attempt(2));
//! assert_eq!((on_the_wire.unit_id(), on_the_wire.attempt_number()), (unit, Attempt(2)));
//! ```

mod access;
mod connect;
pub mod convert;

/// The code generated from `sprague/v1/*.proto`, where the messages are explained.
#[expect(
    missing_docs,
    unused_qualifications,
    clippy::allow_attributes,
    reason = "generated; the .proto files hold the words"
)]
pub mod v1 {
    tonic::include_proto!("sprague.v1");
}

/// The description of [`v1`] that gRPC reflection serves: an encoded `FileDescriptorSet`.
pub const DESCRIPTORS: &[u8] = tonic::include_file_descriptor_set!("sprague.v1");

pub use access::{
    Access, AccessError, Role, RoleError, Secret, SecretError, mode_for_others, open_regular,
    write_private,
};
pub use connect::{Authorized, ConnectError, connect, connect_by, innermost, usable};

/// The version of the wire contract. It grows when an old peer could misunderstand a new one.
pub const CONTRACT: u32 = 4;

/// The largest report, and the largest message between a worker and its slots, in bytes: room for a
/// certificate of tens of millions of couples.
pub const LARGEST_REPORT: usize = 64 << 20;

/// The largest message of a session, in bytes: a report and what is put around it.
pub const LARGEST_MESSAGE: usize = LARGEST_REPORT + (1 << 20);

/// The longest that one unit may tell the others at a time, in bytes. A session that carries more is ended.
pub const LONGEST_HEARSAY: usize = 4 << 20;

/// The name in the coordinator's certificate. Peers check the certificate itself, which they have
/// from the access file, so the address may change and the name need not.
pub const CERTIFICATE_NAME: &str = "sprague-coordinator";
