import { Queryable } from '@podium/runtime/postgres';
import { EngineDefinition } from '../evaluation/definition';
import { readApprovedRates } from '../rates/approved-rates.store';
import { usedPairs } from '../rates/used-pairs';
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

/** Caches the compiled definitions of this process, with their rates, and re-compiles them when the epoch has changed. */
export class LiveDefinitions {
  private known: { readonly epoch: string | number; readonly definitions: DefinitionSet } | null = null;

  constructor(private readonly source: DefinitionSource) {}

  /** The definitions in force for this transaction; they do not change until it ends. */
  async current(tx: Queryable): Promise<DefinitionSet> {
    const epoch = await this.source.readEpoch(tx);
    if (this.known?.epoch === epoch) return this.known.definitions;
    const published = await this.source.loadPublished(tx);
    const rates = await readApprovedRates(tx, usedPairs(published));
    const definitions = definitionSet(published, await this.source.isRebuilding(tx), rates);
    this.known = { epoch, definitions };
    return definitions;
  }
}
