import { UserEventData } from '@podium/messages';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool } from '@podium/runtime/postgres';
import { applyBatch } from '../src/applying/apply-batch';
import { ApplyParts } from '../src/applying/apply-parts';
import { settleDue } from '../src/due/settle-due';
import type { EngineDefinition } from '../src/evaluation/definition';
import { applyLinks } from '../src/link-view/apply-links';
import type { LinkRevision } from '../src/link-view/links.store';
import { DefinitionSource, LiveDefinitions } from '../src/progress/live-definitions';
import { sourceOf } from './given-definitions';

/** The batches of one consumer without Kafka: engagement's own transactions, with a clock and definitions that are given. */
export class EventApplier {
  readonly parts: ApplyParts;
  private readonly offsets = new Map<number, bigint>();

  constructor(
    readonly pool: Pool,
    definitions: readonly EngineDefinition[] | DefinitionSource,
    nowMs: () => number,
  ) {
    const source = 'readEpoch' in definitions ? definitions : sourceOf(definitions);
    this.parts = new ApplyParts(pool, new LiveDefinitions(source), nowMs);
  }

  /** A pool as the service has it. */
  static pool(url: string, size: number): Pool {
    const logger = createLog({ service: 'bench', instance: 'bench', level: 'error' });
    return createPool({ url, size, service: 'bench' }, logger, new Registry());
  }

  /** Applies a batch of a partition; returns the number of awards and membership changes. */
  async apply(partition: number, events: readonly UserEventData[]): Promise<number> {
    const position = this.offsets.get(partition) ?? null;
    const nextOffset = (position ?? 0n) + BigInt(events.length);
    const batch = { topic: 'events', partition, position, nextOffset, events: events.map((data) => ({ data })) };
    const { awards, reversals, changes } = await this.parts.pace.batch(() => applyBatch(this.parts, batch));
    this.offsets.set(partition, nextOffset);
    return awards.length + reversals.length + changes.length;
  }

  /** Links users, as the records of their links do. */
  async link(links: readonly LinkRevision[]): Promise<void> {
    await applyLinks(this.parts, {
      ...{ topic: 'links', partition: 0, position: 'any', nextOffset: 1n },
      erased: [],
      links,
    });
  }

  /** Settles what is due, at most `mostUsers` users; returns their number. */
  async settleDue(mostUsers: number): Promise<number> {
    return (await settleDue(this.parts, mostUsers)).users;
  }
}
