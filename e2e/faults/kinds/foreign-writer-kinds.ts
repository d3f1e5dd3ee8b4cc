import { FaultKind } from './fault-kind';

/** What others write to the topics that are theirs. */
export function foreignWriterKinds(): FaultKind[] {
  return [];
}
