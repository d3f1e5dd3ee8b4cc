/**
 * Size limits of an event. The gateway limits the body to 64 KiB (route table) before it forwards it; the limits below apply
 * to its parts. Engagement decides how many events are stored (event-store/retention.ts).
 */

/** Most bytes of UTF-8 in an id, a name or a platform. */
export const maxNameBytes = 255;
/** Most attributes of one event. */
export const maxAttributes = 100;
/** Most bytes of UTF-8 in the value of a negotiated attribute. */
export const maxValueBytes = 4096;
/** Deepest nesting of objects and arrays; the top-level object is level 1. */
export const maxDepth = 8;
/** How far `created_at` may be ahead of the clock of this service, seconds. */
export const maxAheadS = 300;
/**
 * Up to this far ahead, seconds, one of the two clocks is off: the same bytes are accepted once `created_at` is close enough.
 * Offsets of time zones are an hour and more: an event that is so far ahead needs a correction, which waiting would hide.
 */
export const maxClockErrorS = 1800;
