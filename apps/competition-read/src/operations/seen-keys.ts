import { PlacedChanges } from '../projection/handle-changes';
import { DocumentKey, documentOfKey } from '../projection/read-change';
import { competitionKey } from '@podium/messages';

type Positions = ReadonlyMap<number, bigint>;

/**
 * The record keys that a rebuild must know to judge what the live set has beyond its own. They are held in memory: all keys
 * of records that could not be applied, and those of tombstones that the live set did not have when the rebuild began.
 */
export class SeenKeys {
  private readonly dead = new Set<string>();
  private readonly tombstones = new Map<string, { readonly partition: number; readonly nextOffset: bigint }>();

  /** `liveAtStart` are the positions of the live set at the beginning; they never go back while the rebuild continues. */
  constructor(private readonly liveAtStart: Positions) {}

  /** A record with this key cannot be applied; '' is unknown. */
  noteDead(key: string): void {
    this.dead.add(key);
  }

  /** To be called before the batch is committed. */
  noteTombstones({ partition, nextOffset, changes }: PlacedChanges): void {
    if (nextOffset <= (this.liveAtStart.get(partition) ?? 0n)) return;
    for (const { what, content } of changes)
      if (what === 'forget') this.tombstones.set(competitionKey(content.kind, content.id), { partition, nextOffset });
  }

  /** Whether a record of this document could not be applied. */
  isDead({ kind, id }: DocumentKey): boolean {
    return this.dead.has(competitionKey(kind, id));
  }

  /** The documents of which a record could not be applied. */
  *deadDocuments(): Iterable<DocumentKey> {
    for (const key of this.dead) {
      const document = documentOfKey(key);
      if (document && !document.id.includes('\0')) yield document;
    }
  }

  /** Whether there is a tombstone of this document that a live set with these positions may not have applied yet. */
  hasTombstoneAfter(live: Positions, { kind, id }: DocumentKey): boolean {
    const last = this.tombstones.get(competitionKey(kind, id));
    return last !== undefined && last.nextOffset > (live.get(last.partition) ?? 0n);
  }
}
