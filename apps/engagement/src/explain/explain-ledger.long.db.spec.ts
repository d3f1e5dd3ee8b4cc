import { Operator } from '@podium/runtime/http';
import { dataSourceOptions } from '@podium/runtime/postgres';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { AppliedTables } from '../../test/applied-tables';
import { deposits, segmentOf } from '../../test/given-definitions';
import { LedgerRows, readLedger } from '../../test/ledger-rows';
import { World, capOf, owedOf } from '../../test/oracle';
import { afterAll as endOf, share, world } from '../../test/oracle/generate-world';
import { propertyOptions } from '../../test/property-options';
import { storeDefinitions } from '../../test/stored-definitions';
import { Arrival, neverFinal, ownWorld, runWorld, worldUserId } from '../../test/world-run';
import { Catalogue } from '../definitions/catalogue';
import { Definition } from '../definitions/definition.entity';
import { DefinitionsService } from '../definitions/definitions.service';
import { DefinitionsStore } from '../definitions/definitions.store';
import { settleDue } from '../due/settle-due';
import { sweepDefinitions } from '../due/sweep-definitions';
import { EngineDefinition, TaskDefinition } from '../evaluation/definition';
import { schema } from '../migrations';
import { ExplainService } from './explain.service';
import { TaskExplanationReply } from './explanation.dto';

jest.setTimeout(600_000);

const viewer: Operator = { operatorId: 'op', roles: new Map([['organizer-1', ['viewer']]]) };
const limit = 200;
const worlds = 100;
const triples = 1_000;

/**
 * All at once, so that awards are issued with the whole set known; or one by one, so that some are taken back; or all are taken
 * back at the end, and reached again while the tasks are paused.
 */
const arrivals: fc.Arbitrary<Pick<Arrival, 'batchSizes' | 'delaysS'> & { readonly isReachedAgain: boolean }> =
  fc.constantFrom(
    // Of these alone evidence is compared, and few of their awards are reached after the last event.
    ...Array.from({ length: 3 }, () => ({ batchSizes: [1_000], delaysS: [0], isReachedAgain: false })),
    { batchSizes: [1], delaysS: [0], isReachedAgain: true },
    { batchSizes: [1, 3], delaysS: [0, 6 * 86_400, 3_600], isReachedAgain: false },
  );

/** An occurrence of an explanation. */
interface Explained {
  readonly state: string;
  readonly reachedAt: number;
  readonly decidedBy: string | null;
}

describe('explanations of random instants', () => {
  let tables: AppliedTables;
  let dataSource: DataSource;
  let explain: ExplainService;

  beforeAll(async () => {
    tables = await AppliedTables.create();
    dataSource = new DataSource(
      dataSourceOptions({ url: tables.databaseUrl, schema, entities: [Definition], migrations: [] }),
    );
    await dataSource.initialize();
    const definitions = new DefinitionsService(new DefinitionsStore(dataSource), new Catalogue());
    explain = new ExplainService(tables.pool, definitions, tables.parts.definitions, () => tables.clockMs);
  });
  afterAll(async () => {
    await dataSource.destroy();
    await tables.drop();
  });

  it('agree with the ledger: what was reached by then, when, and by which evidence', async () => {
    const found = { triples: 0, issued: 0, evidence: 0, heldAgain: 0 };
    const given = fc.tuple(
      world({ maxEvents: 25 }).filter(({ definitions }) => definitions.some(isTask)),
      arrivals,
      fc.array(share, { minLength: 16, maxLength: 24 }),
    );
    await fc.assert(
      fc.asyncProperty(given, async ([random, { isReachedAgain, ...arrival }, shares]) => {
        const made = ownWorld(neverFinal(takingBack(random)));
        const nowS = endOf(made);
        const knownS = Math.max(...made.events.map(({ receivedAt }) => receivedAt));
        await runWorld(tables, made, { ...arrival, paused: [false], failsAt: [null], ratesAtStep: 0 }, nowS);
        if (isReachedAgain) await reachAgain(made);
        await storeDefinitions(dataSource, made.definitions);
        for (const task of made.definitions.filter(isTask)) {
          if (owedOf(made, task, nowS, { limit }).length === limit) continue;
          const ledger = await readLedger(tables.pool, task.definitionId);
          found.heldAgain += [...ledger.reversed].filter((key) => ledger.unissued.has(key)).length;
          for (const atS of instantsOf(made, ledger, shares)) {
            const reply = await explain.task(viewer, task.definitionId, { user_id: worldUserId, at: iso(atS) });
            const keys = explainedOf(reply);
            expectReached(made, task, ledger, atS, keys);
            found.triples++;
            found.issued += keys.size;
            if (arrival.batchSizes[0] < 1_000) continue;
            found.evidence += expectEvidence(ledger, { atS, knownS }, keys, reply);
          }
        }
      }),
      propertyOptions(worlds),
    );
    if (process.env.PODIUM_PATH !== undefined || process.env.PODIUM_RUNS !== undefined) return;
    expect(found.triples).toBeGreaterThanOrEqual(triples);
    expect(Math.min(found.issued, found.evidence, found.heldAgain)).toBeGreaterThan(0);
  });

  /** Takes back what all tasks have given, because nobody is eligible, and lets it be reached again while they are paused. */
  async function reachAgain({ definitions }: World): Promise<void> {
    const nobody = segmentOf(randomUUID(), { count: deposits, window: { lifetime: true }, op: 'lt', value: '0' });
    await evaluateAll(nobody, ...definitions.map((each) => (isTask(each) ? eligibleOnly(each, nobody) : each)));
    await evaluateAll(...definitions.map((each) => (isTask(each) ? { ...each, paused: true } : each)));
  }

  async function evaluateAll(...definitions: readonly EngineDefinition[]): Promise<void> {
    tables.given.set(...definitions);
    await tables.pool.query('TRUNCATE engagement.definition_sweeps');
    while ((await sweepDefinitions(tables.parts, 100)) > 0);
    while ((await settleDue(tables.parts, 100)).settled > 0);
  }

  /** What is explained as reached by an instant is what the ledger has of that instant, and what a recomputation finds. */
  function expectReached(
    made: World,
    task: TaskDefinition,
    ledger: LedgerRows,
    atS: number,
    keys: ReadonlyMap<string, Explained>,
  ): void {
    const recomputed = owedOf(made, task, atS, { limit }).map(({ occurrence }) => occurrence);
    expect([...keys.keys()].sort()).toEqual(recomputed.sort());
    const issuedByThen = [...ledger.issued.values()].filter(({ owedAt }) => owedAt <= atS);
    const explainedAsIssued = [...keys].filter(([, { state }]) => state === 'issued');
    expect(explainedAsIssued.map(([key, { reachedAt }]) => [key, reachedAt]).sort()).toEqual(
      issuedByThen.map(({ occurrence, owedAt }) => [occurrence, owedAt]).sort(),
    );
    const counted = [...ledger.unissued.values()].filter((status) => status !== 'unlinked').length;
    for (const [key, { state }] of keys)
      if (!ledger.issued.has(key)) {
        const isFull = ledger.issued.size + counted >= capOf(task);
        const expected = ledger.unissued.get(key) ?? (ledger.reversed.has(key) ? 'reversed' : 'beyond_max_per_user');
        expect([key, state]).toEqual([key, expected]);
        if (!ledger.unissued.has(key)) expect([key, isFull]).toEqual([key, true]);
      }
  }

  /**
   * Awards that were reached at the instant itself, and issued when all events were known: the same events and values; returns
   * their number.
   */
  function expectEvidence(
    ledger: LedgerRows,
    { atS, knownS }: { atS: number; knownS: number },
    keys: ReadonlyMap<string, Explained>,
    reply: TaskExplanationReply,
  ): number {
    const reached = [...ledger.issued.values()].filter(
      ({ owedAt, reachedAt, issuedAt }) => owedAt === atS && reachedAt === atS && issuedAt >= knownS,
    );
    for (const { occurrence, evidence } of reached) {
      const { decidedBy } = keys.get(occurrence)!;
      if (decidedBy !== null) expect(evidence.events[0].id).toBe(decidedBy);
      // Steps also count late events of before the dates, which the goal itself does not see yet.
      const [, repeat, number] = occurrence.split(':');
      const isReached = repeat === 'every' ? (reply.steps?.passed ?? 0) >= Number(number) : reply.holds;
      expect([occurrence, isReached, reply.eligible !== false]).toEqual([occurrence, true, true]);
      const byPath = new Map(reply.comparisons.map((comparison) => [comparison.path, comparison]));
      const explained = Object.entries(evidence.values).map(([path, value]) => {
        const { holds, value: shown } = byPath.get(path)!;
        // Of a state evidence says only whether it held; the least or greatest of nothing has no value.
        return [path, value === 'true' || value === 'false' ? String(holds) : (shown ?? 'nothing')];
      });
      expect({ occurrence, values: Object.fromEntries(explained) }).toEqual({ occurrence, values: evidence.values });
      const named = new Set(reply.comparisons.flatMap(({ counted }) => counted.map(({ id }) => id)));
      const others = evidence.events.map(({ id }) => id).filter((id) => id !== decidedBy);
      expect(others.filter((id) => !named.has(id))).toEqual([]);
      const shown = reply.awards.find((award) => award.occurrence === occurrence);
      if (shown !== undefined || reply.awards.length < 20)
        expect(shown?.evidence?.events.map(({ id }) => id)).toEqual(evidence.events.map(({ id }) => id));
    }
    return reached.length;
  }
});

/** Every undone award is taken back, and nothing is paused: then the ledger is what is owed. */
function takingBack(made: World): World {
  const definitions = made.definitions.map((definition) =>
    definition.kind === 'segment'
      ? definition
      : {
          ...definition,
          paused: false,
          versions: definition.versions.map((version) => ({
            ...version,
            body: { ...version.body, claw_back: 'always' as const },
          })),
        },
  );
  return { ...made, definitions };
}

function eligibleOnly(task: TaskDefinition, { definitionId: eligible }: EngineDefinition): TaskDefinition {
  return { ...task, versions: task.versions.map((each) => ({ ...each, body: { ...each.body, eligible } })) };
}

/** Instants in which something was reached, and any others. */
function instantsOf(made: World, { issued }: LedgerRows, shares: readonly number[]): number[] {
  const fromS = Math.min(...made.links.map(({ linkedAt }) => linkedAt));
  const nowS = endOf(made);
  const anywhere = shares.map((each) => Math.floor(fromS + each * (nowS - fromS)));
  const reached = [...issued.values()].slice(0, 8).map(({ owedAt }) => owedAt);
  return [...new Set([...reached, ...anywhere, nowS])];
}

/** The occurrences that are owed by the explanation, one by one; each is listed once. */
function explainedOf({ occurrences, occurrences_left_out }: TaskExplanationReply): Map<string, Explained> {
  expect(occurrences_left_out).toBe(0);
  const listed = occurrences.flatMap(({ first, last }) => keysBetween(first, last));
  expect(listed.toSorted()).toEqual([...new Set(listed)].sort());
  return new Map(
    occurrences
      .filter(({ owed }) => owed)
      .flatMap(({ first, last, state, reached_at, decided_by }) => {
        const explained = { state, reachedAt: Date.parse(reached_at) / 1000, decidedBy: decided_by };
        return keysBetween(first, last).map((key) => [key, explained] as const);
      }),
  );
}

function keysBetween(first: string, last: string): string[] {
  const [series, from] = splitKey(first);
  if (series === null) return [first];
  const [, to] = splitKey(last);
  expect(to).toBeGreaterThanOrEqual(from);
  return Array.from({ length: to - from + 1 }, (_, at) => `${series}:${from + at}`);
}

function splitKey(key: string): [string | null, number] {
  const match = /^(g\d+:every):(\d+)$/.exec(key);
  return match === null ? [null, 1] : [match[1], Number(match[2])];
}

function isTask(definition: { readonly kind: string }): definition is TaskDefinition {
  return definition.kind === 'task';
}

function iso(atS: number): string {
  return new Date(atS * 1000).toISOString();
}
