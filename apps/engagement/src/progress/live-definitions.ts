import { CodedError } from '@podium/messages';
import type { Logger } from '@podium/runtime/log';
import { Queryable } from '@podium/runtime/postgres';
import { shareWithSlowWork } from '../definitions/epoch.store';
import { PublishedDefinitions, UnreadableDefinition } from '../definitions/engine-definition';
import { EngineDefinition } from '../evaluation/definition';
import { KnownRates, readChangedRates } from '../rates/approved-rates.store';
import { usedPairs } from '../rates/used-pairs';
import { BrokenDefinitions, brokenDefinitions, dependingOn } from './broken-definitions';
import { DefinitionSet, definitionSet } from './definition-set';

/** Reads published definitions, inside the transaction that uses them. */
export interface DefinitionSource {
  /**
   * The epoch changes with every publish, pause, resume and end, and with approved rates. Reading it blocks these until the
   * transaction ends.
   */
  readEpoch(tx: Queryable): Promise<string | number>;
  /** `before` is what was loaded last, of which what has not changed need not be read again. */
  loadPublished(tx: Queryable, before?: PublishedDefinitions): Promise<PublishedDefinitions>;
  isRebuilding(tx: Queryable): Promise<boolean>;
}

/** What was compiled, and of what. */
interface Compiled {
  readonly published: PublishedDefinitions;
  readonly rates: ReadonlyMap<string, KnownRates>;
  readonly set: DefinitionSet;
}

/**
 * Caches the compiled definitions of this process, with their rates, and compiles those that have changed when the epoch has. Those that
 * cannot be read or compiled are left out, because one of them would stop the events, links and due times of all platforms. Neither
 * awards nor memberships of theirs change meanwhile, and what is kept of events for them stays (`KeptState.isPartial`).
 */
export class LiveDefinitions {
  private compiled: { readonly epoch: string | number; readonly definitions: Promise<DefinitionSet> } | null = null;
  /** What was compiled last: what has not changed since is neither read nor compiled again. */
  private last: Compiled | null = null;
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
    // Batches of all partitions find a new epoch at once, and one compiles for all; if it fails, each tries by itself.
    const known = this.compiled?.epoch === epoch ? await this.compiled.definitions.catch(() => null) : null;
    return known ?? this.load(tx, epoch);
  }

  /** The same for a transaction that may last longer than a batch of events: a change of definitions waits for it before it holds events up. */
  async currentForSlowWork(tx: Queryable): Promise<DefinitionSet> {
    await shareWithSlowWork(tx);
    return this.current(tx);
  }

  /** The same for operators, whose answers come from the state of users: throws `unavailable` while that is being rebuilt. */
  async currentOnceBuilt(tx: Queryable): Promise<DefinitionSet> {
    const definitions = await this.currentForSlowWork(tx);
    if (definitions.isRebuilding)
      throw new CodedError('unavailable', {
        message: 'The state of users is being rebuilt. Retry when that has finished.',
        retryAfterS: 60,
      });
    return definitions;
  }

  private load(tx: Queryable, epoch: string | number): Promise<DefinitionSet> {
    const { last } = this;
    const definitions = this.source
      .loadPublished(tx, last?.published)
      .then((published) => this.compile(tx, published, last));
    this.compiled = { epoch, definitions };
    return definitions;
  }

  private async compile(tx: Queryable, published: PublishedDefinitions, last: Compiled | null): Promise<DefinitionSet> {
    const { definitions, unreadable } = published;
    const isRebuilding = await this.source.isRebuilding(tx);
    const depending = dependingOn(unreadable, definitions);
    /** Those that run and are left out beside the others. */
    const leftOut = (broken: BrokenDefinitions): UnreadableDefinition[] =>
      [
        ...unreadable,
        ...[...depending, ...broken].map(([definition, reason]): UnreadableDefinition => ({ ...definition, reason })),
      ].filter(({ endedAt }) => endedAt === null);
    const compiled = async (some: readonly EngineDefinition[], broken: BrokenDefinitions): Promise<Compiled> => {
      const partial = new Set(leftOut(broken).map(({ platform }) => platform));
      const rates = await readChangedRates(tx, usedPairs(some), last?.rates ?? new Map());
      const ofOrganizers = new Map([...rates].map(([organizerId, known]) => [organizerId, known.rates]));
      return { published, rates, set: definitionSet(some, isRebuilding, ofOrganizers, partial, last?.set) };
    };
    const readable = definitions.filter((definition) => !depending.has(definition));
    let broken: BrokenDefinitions = new Map();
    let found: Compiled;
    try {
      found = await compiled(readable, broken);
    } catch (error) {
      broken = brokenDefinitions(readable, last?.set);
      if (broken.size === 0) throw error;
      found = await compiled(
        readable.filter((definition) => !broken.has(definition)),
        broken,
      );
    }
    this.last = found;
    this.leaveOut(leftOut(broken));
    return found.set;
  }

  private leaveOut(running: readonly UnreadableDefinition[]): void {
    for (const { definitionId, kind, platform, reason } of running)
      this.logger?.error(
        { err: reason, definition_id: definitionId, kind, platform },
        'a published definition cannot be compiled; it is not evaluated',
      );
    this.leftOut = running.length;
  }
}
