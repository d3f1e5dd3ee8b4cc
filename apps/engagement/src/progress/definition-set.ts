import { addToList } from '../evaluation/add-to-list';
import { EngineDefinition } from '../evaluation/definition';
import { HistoryEvent } from '../evaluation/history';
import { Rates } from '../evaluation/rates';
import { ByEvent } from './by-event';
import { compileDefinitions } from './compile-definitions';
import { EventIndex } from './event-index';
import { EventParts, KeptState, eventParts, nothingKept } from './event-parts';
import { IndexedLive, LiveDefinition } from './live-definition';

export type { KeptState } from './event-parts';
export type { LiveDefinition, LiveSegment, LiveTask } from './live-definition';

/** The definitions in force, with lookups. */
export interface DefinitionSet {
  /** During a rebuild events are only gathered: nothing is evaluated until it has finished. */
  readonly isRebuilding: boolean;
  readonly byId: ReadonlyMap<string, LiveDefinition>;
  /** What a later set takes over where nothing has changed. */
  readonly parts: SetParts;
  /** Definitions that name an event of the platform, and which of them an event changes. */
  forEvent(platform: string, name: string): EventIndex<LiveDefinition>;
  ofPlatform(platform: string): readonly LiveDefinition[];
  keptState(platform: string, name: string): KeptState;
  /** Whether published definitions of the platform are left out: their state is kept. */
  isPartial(platform: string): boolean;
  /** Whether a definition leaves out an amount of an event, because no rate of an earlier day is approved. */
  leavesOut(platform: string, event: HistoryEvent): boolean;
}

/** The parts of a set. They never change, and sets share them. */
interface SetParts {
  readonly indexed: ReadonlyMap<string, IndexedLive>;
  readonly byEvent: ByEvent<EventParts>;
}

const noParts: SetParts = { indexed: new Map(), byEvent: new ByEvent() };

/**
 * Compiles definitions and indexes them for lookup; `rates` are those of organizers, `partial` the platforms of which some are left
 * out. What has not changed since `before` is taken from there.
 */
export function definitionSet(
  all: readonly EngineDefinition[],
  isRebuilding = false,
  rates: ReadonlyMap<string, Rates> = new Map(),
  partial: ReadonlySet<string> = new Set(),
  { parts: before }: Pick<DefinitionSet, 'parts'> = { parts: noParts },
): DefinitionSet {
  const indexed = compileDefinitions(all, rates, before.indexed);
  const byEvent = new ByEvent<IndexedLive[]>();
  for (const each of indexed)
    for (const name of each.definition.names) byEvent.getOrAdd(each.definition.platform, name, () => []).push(each);
  return new CompiledSet(isRebuilding, partial, {
    indexed: new Map(indexed.map((each) => [each.definition.definitionId, each])),
    byEvent: byEvent.map((ofName, platform, name) =>
      eventParts(name, ofName, partial.has(platform), before.byEvent.get(platform, name)),
    ),
  });
}

const noDefinitions = new EventIndex<LiveDefinition>('', []);

class CompiledSet implements DefinitionSet {
  readonly byId: ReadonlyMap<string, LiveDefinition>;
  private readonly byPlatform = new Map<string, LiveDefinition[]>();

  constructor(
    readonly isRebuilding: boolean,
    private readonly partial: ReadonlySet<string>,
    readonly parts: SetParts,
  ) {
    this.byId = new Map([...parts.indexed].map(([id, { definition }]) => [id, definition]));
    for (const definition of this.byId.values()) addToList(this.byPlatform, definition.platform, definition);
  }

  forEvent(platform: string, name: string): EventIndex<LiveDefinition> {
    return this.parts.byEvent.get(platform, name)?.index ?? noDefinitions;
  }

  ofPlatform(platform: string): readonly LiveDefinition[] {
    return this.byPlatform.get(platform) ?? [];
  }

  keptState(platform: string, name: string): KeptState {
    return this.parts.byEvent.get(platform, name)?.kept ?? nothingKept(this.isPartial(platform));
  }

  isPartial(platform: string): boolean {
    return this.partial.has(platform);
  }

  leavesOut(platform: string, event: HistoryEvent): boolean {
    const { converting = [] } = this.parts.byEvent.get(platform, event.name) ?? {};
    return converting.some((term) => term.valueOf(event) !== null && term.isLeftOut?.(event));
  }
}
