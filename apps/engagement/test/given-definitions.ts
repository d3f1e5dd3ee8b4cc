import { Queryable } from '@podium/runtime/postgres';
import type { Condition } from '../src/evaluation/condition';
import type { EngineDefinition, SegmentDefinition, TaskBody, TaskDefinition } from '../src/evaluation/definition';
import type { PublishedDefinitions, UnreadableDefinition } from '../src/definitions/engine-definition';
import type { DefinitionSource } from '../src/progress/live-definitions';

const specs = { deposit: { amount: { type: 'decimal' } }, kyc: { status: { type: 'string' } } } as const;
const common = { platform: 'acme', organizerId: 'organizer-1', paused: false, endedAt: null, specs } as const;
export const deposits = { event: 'deposit', where: [] } as const;

/** A segment in force from the beginning. */
export function segmentOf(definitionId: string, condition: Condition): SegmentDefinition {
  const body = { condition, zone: 'UTC' };
  return { ...common, definitionId, kind: 'segment', versions: [{ version: 1, generation: 1, inForceFrom: 0, body }] };
}

/** A task in force from the beginning, which pays 5 EUR. */
export function taskOf(
  definitionId: string,
  body: Pick<TaskBody, 'goal' | 'repeat'> & Partial<TaskBody>,
): TaskDefinition {
  const full: TaskBody = {
    ...{ zone: 'UTC', starts_at: 0, claw_back: 'none', max_per_event: 1_000 },
    reward: { type: 'bonus_money', amount: '5', currency: 'EUR' },
    ...body,
  };
  return {
    ...common,
    definitionId,
    kind: 'task',
    versions: [{ version: 1, generation: 1, inForceFrom: 0, body: full }],
  };
}

/** Definitions as a test sets them. */
export class GivenDefinitions implements DefinitionSource {
  private epoch = 0;
  private definitions: readonly EngineDefinition[] = [];
  private unreadable: readonly UnreadableDefinition[] = [];
  private rebuilding = false;

  set(...definitions: readonly EngineDefinition[]): void {
    this.definitions = definitions;
    this.epoch++;
  }

  /** Definitions whose stored versions cannot be read. */
  setUnreadable(...unreadable: readonly UnreadableDefinition[]): void {
    this.unreadable = unreadable;
    this.epoch++;
  }

  rebuild(rebuilding: boolean): void {
    this.rebuilding = rebuilding;
    this.epoch++;
  }

  async readEpoch(): Promise<number> {
    return this.epoch;
  }

  async loadPublished(): Promise<PublishedDefinitions> {
    return { definitions: this.definitions, unreadable: this.unreadable };
  }

  async isRebuilding(): Promise<boolean> {
    return this.rebuilding;
  }
}

/** A source of definitions that never change; `readEpoch` may hold the epoch as the service does. */
export function sourceOf(
  definitions: readonly EngineDefinition[],
  readEpoch: (tx: Queryable) => Promise<string | number> = async () => 1,
): DefinitionSource {
  const published = { definitions, unreadable: [] };
  return { readEpoch, loadPublished: async () => published, isRebuilding: async () => false };
}
