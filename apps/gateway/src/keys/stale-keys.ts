/**
 * How long keys stay valid without news from Kafka, milliseconds: after that a revocation may be missing, and callers get 503.
 * A missed revocation of a data key exposes only reads, so data keys stay valid for ten minutes more.
 */
export const maxKeyViewAgeMs = { eventKeys: 60_000, dataKeys: 660_000 } as const;
