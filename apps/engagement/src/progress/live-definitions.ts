import { Queryable } from '@podium/runtime/postgres';
import {
  CompiledDefinition,
  CompiledSegment,
  PublishedDefinition,
  compileDefinition,
} from '../evaluation/compiled-definition';

/** Reads published definitions, inside the transaction that uses them. */
export interface DefinitionSource {
  /** The epoch changes with every publish, pause, resume and end. Reading it blocks these until the transaction ends. */
  readEpoch(tx: Queryable): Promise<string | number>;
  loadPublished(tx: Queryable): Promise<PublishedDefinition[]>;
}

/** The definitions in force, with lookups. */
export interface DefinitionSet {
  readonly byId: ReadonlyMap<string, CompiledDefinition>;
  /** Definitions whose state an event of the platform and name may change. */
  forEvent(platform: string, name: string): readonly CompiledDefinition[];
  segmentsOf(platform: string): readonly CompiledSegment[];
}

/** Caches the compiled definitions of this process and re-compiles them when the epoch has changed. */
export class LiveDefinitions {
  private known: { readonly epoch: string | number; readonly definitions: DefinitionSet } | null = null;

  constructor(private readonly source: DefinitionSource) {}

  /** The definitions in force for this transaction; they do not change until it ends. */
  async current(tx: Queryable): Promise<DefinitionSet> {
    const epoch = await this.source.readEpoch(tx);
    if (this.known?.epoch === epoch) return this.known.definitions;
    const published = await this.source.loadPublished(tx);
    const definitions = definitionSet(published.map((definition) => compileDefinition(definition)));
    this.known = { epoch, definitions };
    return definitions;
  }
}

/** Indexes definitions for lookup. */
export function definitionSet(all: readonly CompiledDefinition[]): DefinitionSet {
  const byEvent = new Map<string, CompiledDefinition[]>();
  const segments = new Map<string, CompiledSegment[]>();
  for (const definition of all) {
    for (const name of definition.eventNames) add(byEvent, JSON.stringify([definition.platform, name]), definition);
    if (definition.kind === 'segment') add(segments, definition.platform, definition);
  }
  return {
    byId: new Map(all.map((definition) => [definition.definitionId, definition])),
    forEvent: (platform, name) => byEvent.get(JSON.stringify([platform, name])) ?? [],
    segmentsOf: (platform) => segments.get(platform) ?? [],
  };
}

function add<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}
