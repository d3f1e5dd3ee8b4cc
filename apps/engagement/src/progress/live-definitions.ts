import type { Logger } from '@podium/runtime/log';
import { Queryable } from '@podium/runtime/postgres';
import { EngineDefinition } from '../evaluation/definition';
import { readApprovedRates } from '../rates/approved-rates.store';
import { usedPairs } from '../rates/used-pairs';
import { brokenDefinitions } from './broken-definitions';
import { DefinitionSet, definitionSet } from './definition-set';

/** Reads published definitions, inside the transaction that uses them. */
export interface DefinitionSource {
  /**
   * The epoch changes with every publish, pause, resume and end, and with approved rates. Reading it blocks these until the
   * transaction ends.
   */
  readEpoch(tx: Queryable): Promise<string | number>;
  loadPublished(tx: Queryable): Promise<EngineDefinition[]>;
  isRebuilding(tx: Queryable): Promise<boolean>;
}

/**
 * Caches the compiled definitions of this process, with their rates, and re-compiles them when the epoch has changed. Those that
 * cannot be compiled are left out, because one of them would stop the events, links and due times of all platforms. Neither
 * awards nor memberships of theirs change meanwhile.
 */
export class LiveDefinitions {
  private known: { readonly epoch: string | number; readonly definitions: DefinitionSet } | null = null;
  private leftOut = 0;

  constructor(
    private readonly source: DefinitionSource,
    private readonly logger?: Pick<Logger, 'error'>,
  ) {}

  /** How many definitions are left out of the current ones, without those that operators have ended. */
  get leftOutCount(): number {
    return this.leftOut;
  }

  /** The definitions in force for this transaction; they do not change until it ends. */
  async current(tx: Queryable): Promise<DefinitionSet> {
    const epoch = await this.source.readEpoch(tx);
    if (this.known?.epoch === epoch) return this.known.definitions;
    const definitions = await this.compile(tx, await this.source.loadPublished(tx));
    this.known = { epoch, definitions };
    return definitions;
  }

  private async compile(tx: Queryable, published: readonly EngineDefinition[]): Promise<DefinitionSet> {
    const isRebuilding = await this.source.isRebuilding(tx);
    const compiled = async (definitions: readonly EngineDefinition[]): Promise<DefinitionSet> =>
      definitionSet(definitions, isRebuilding, await readApprovedRates(tx, usedPairs(definitions)));
    try {
      const all = await compiled(published);
      this.leftOut = 0;
      return all;
    } catch (error) {
      const broken = brokenDefinitions(published);
      if (broken.size === 0) throw error;
      const others = await compiled(published.filter((definition) => !broken.has(definition)));
      const running = [...broken].filter(([{ endedAt }]) => endedAt === null);
      for (const [{ definitionId, kind, platform }, reason] of running)
        this.logger?.error(
          { err: reason, definition_id: definitionId, kind, platform },
          'a published definition cannot be compiled; it is not evaluated',
        );
      this.leftOut = running.length;
      return others;
    }
  }
}
