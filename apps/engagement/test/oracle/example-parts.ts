import type { Condition, Filter, Window } from '../../src/evaluation/condition';
import type {
  AttributeSpecs,
  DefinitionVersion,
  EngineDefinition,
  SegmentBody,
  SegmentDefinition,
  TaskBody,
  TaskDefinition,
} from '../../src/evaluation/definition';
import type { HistoryEvent, LinkPeriod } from '../../src/evaluation/history';
import type { OracleOwed, World } from './world';

/* What worked examples are made of. Unless stated, all is UTC, in force from 1 November 2026, and the user linked before. */

/** What must be owed; parts that an example is not about are left out. */
export type ExpectedOwed = Pick<OracleOwed, 'occurrence' | 'reachedAt' | 'decidedById' | 'account'> &
  Partial<Pick<OracleOwed, 'version' | 'reward'>>;

/** A world with the answers that were computed by hand. */
export interface Example {
  /** Begins with the number of the reading in docs/engine.md. */
  readonly name: string;
  readonly world: World;
  readonly nowS: number;
  /** All that each task owes by `nowS`, in order, by task id. */
  readonly owed: Readonly<Record<string, readonly ExpectedOwed[]>>;
  /** Whether the user is a member at instants, by segment id. */
  readonly members: Readonly<Record<string, readonly (readonly [atS: number, isMember: boolean])[]>>;
}

/** Unix seconds of a UTC time in 2026, `11-05` or `11-05 10:00:00`; of another year in full. */
export function at(text: string): number {
  const [date, time = '00:00:00'] = text.split(' ');
  return Date.parse(`${date.length === 5 ? `2026-${date}` : date}T${time}Z`) / 1000;
}

type ExampleParts = Partial<Omit<Example, 'name' | 'world'>> & Partial<World> & Pick<World, 'definitions'>;

/** An example; unless stated the user is linked from 1 October on, and now is the end of the year. */
export function example(name: string, parts: ExampleParts): Example {
  const { nowS = at('2027-01-01'), owed = {}, members = {}, events = [], links = [link('10-01')] } = parts;
  const { definitions, rates = [] } = parts;
  return { name, nowS, owed, members, world: { definitions, events, links, rates, horizonS: 35 * 86_400 } };
}

/** A link of an account, half-open. */
export function link(linkedAt: string, unlinkedAt: string | null = null, account = 'account-1'): LinkPeriod {
  return { linkedAt: at(linkedAt), unlinkedAt: unlinkedAt === null ? null : at(unlinkedAt), account };
}

/** An event of the link of 1 October, received at once, unless stated. */
export function event(
  id: string,
  name: string,
  createdAt: string,
  attributes: Record<string, string> = {},
  rest: { receivedAt?: string; link?: LinkPeriod; contractVersion?: number } = {},
): HistoryEvent {
  const { linkedAt, account } = rest.link ?? link('10-01');
  const receivedAt = at(rest.receivedAt ?? createdAt);
  const contractVersion = rest.contractVersion ?? 1;
  return { id, name, createdAt: at(createdAt), receivedAt, linkedAt, account, contractVersion, attributes };
}

/** Deposits of these times with ids d1, d2, …. */
export function deposits(...times: string[]): HistoryEvent[] {
  return times.map((time, i) => event(`d${i + 1}`, 'deposit', time));
}

/** What an occurrence must be; without a deciding event time decides. */
export function owes(
  occurrence: string,
  reachedAt: string,
  decidedById: string | null,
  account: string | null = 'account-1',
  rest: Partial<OracleOwed> = {},
): ExpectedOwed {
  return { occurrence, reachedAt: at(reachedAt), decidedById, account, ...rest };
}

export const deposit: Filter = { event: 'deposit', where: [] };
export const login: Filter = { event: 'login', where: [] };
export const taskWindow: Window = { task: true };
export const lifetime: Window = { lifetime: true };
export const sinceLink: Window = { since: 'link' };

/** At least so many events. */
export function atLeast(value: number, count: Filter = deposit, window: Window = taskWindow): Condition {
  return { count, window, op: 'gte', value: String(value) };
}

export const specs: AttributeSpecs = {
  deposit: {
    amount: {
      type: 'decimal',
      nonNegative: true,
      currencyAttribute: 'currency',
      currencies: { EUR: 1, USD: 1, JPY: 2 },
    },
    currency: { type: 'currency' },
    method: { type: 'string' },
    ratio: { type: 'decimal' },
    score: { type: 'integer' },
    points: { type: 'integer', nonNegative: true },
    settled_at: { type: 'timestamp' },
    is_first: { type: 'boolean' },
  },
  login: { device: { type: 'string' } },
  kyc: { status: { type: 'string' } },
};

const shared = { platform: 'acme', organizerId: 'organizer-1', paused: false, endedAt: null, specs };
type Body<Of> = Partial<Of>;
type Version<Of> = Partial<Omit<DefinitionVersion<Of>, 'inForceFrom' | 'body'>> & {
  inForceFrom?: string;
  body: Body<Of>;
};

/** A task that pays once, of one version unless several are given. */
export function task(
  of: Body<TaskBody> | readonly Version<TaskBody>[],
  rest: Partial<TaskDefinition> = {},
): TaskDefinition {
  const defaults: TaskBody = {
    goal: atLeast(1),
    repeat: { once: true },
    zone: 'UTC',
    reward: { type: 'points', amount: '1' },
    claw_back: 'none',
    max_per_event: 10,
  };
  return { ...shared, kind: 'task', definitionId: 'task', versions: versionsOf(of, defaults), ...rest };
}

/** A segment of one version unless several are given. */
export function segment(
  of: Body<SegmentBody> | readonly Version<SegmentBody>[],
  rest: Partial<SegmentDefinition> = {},
): SegmentDefinition {
  const defaults: SegmentBody = { condition: atLeast(1, deposit, lifetime), zone: 'UTC' };
  return { ...shared, kind: 'segment', definitionId: 'segment', versions: versionsOf(of, defaults), ...rest };
}

/** Segments by id, of one condition each. */
export function segments(conditions: Record<string, Condition>): EngineDefinition[] {
  return Object.entries(conditions).map(([definitionId, condition]) => segment({ condition }, { definitionId }));
}

function versionsOf<Of>(of: Body<Of> | readonly Version<Of>[], defaults: Of): DefinitionVersion<Of>[] {
  const versions: readonly Version<Of>[] = isList(of) ? of : [{ body: of }];
  return versions.map(({ inForceFrom = '11-01', body, ...numbers }, i) => ({
    version: i + 1,
    generation: i + 1,
    ...numbers,
    inForceFrom: at(inForceFrom),
    body: { ...defaults, ...body },
  }));
}

function isList<Of>(of: Body<Of> | readonly Version<Of>[]): of is readonly Version<Of>[] {
  return Array.isArray(of);
}
