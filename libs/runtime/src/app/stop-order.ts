/**
 * The order in which a service stops. `intake` stops accepting work. `work` finishes the work in progress: consumers finish
 * their batch, commit and leave. `flush` empties outbox and producer. `close` ends pools and connections.
 */
export const stopPhases = ['intake', 'work', 'flush', 'close'] as const;

/** A phase of the stop. */
export type StopPhase = (typeof stopPhases)[number];

/** Yields parts, given in registration order: by phase, newest first within a phase. Reads the parts of a phase when it begins. */
export function* inStopOrder<P extends { readonly phase: StopPhase }>(parts: readonly P[]): Generator<P> {
  for (const phase of stopPhases) yield* parts.filter((part) => part.phase === phase).reverse();
}
