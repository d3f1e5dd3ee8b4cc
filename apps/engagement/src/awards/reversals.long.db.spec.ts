import { queryable } from '@podium/runtime/postgres';
import fc from 'fast-check';
import { AppliedTables } from '../../test/applied-tables';
import { AwardTables } from '../../test/award-tables';
import { taskOf } from '../../test/given-definitions';
import { LedgerModel, ModelAnswer, OwedOccurrences } from '../../test/ledger-model';
import { World, owedOf } from '../../test/oracle';
import { afterAll as endOf, world } from '../../test/oracle/generate-world';
import { propertyOptions } from '../../test/property-options';
import { eventData, linkWorld, neverFinal, ownWorld } from '../../test/world-run';
import { Condition } from '../evaluation/condition';
import { ClawBack, TaskDefinition, horizonS } from '../evaluation/definition';
import { HistoryEvent } from '../evaluation/history';
import { countOccurrences } from '../reports/task-awards.queries';
import { readPaidToOthers } from './known-awards.store';
import { rangeOfKey } from './occurrence-range';

jest.setTimeout(600_000);

const dayS = 86_400;
const budget = 1_000;
const most = 30;
const policies = ['none', 'before_confirm', 'always'] as const;
const t0 = Date.parse('2026-11-02T10:00:00Z') / 1000;
const reissued = /reversed (\w+ )?issued/;

/** What follows the events of a round, in turn: the bonus engine answers what is open, or does not. */
type Answers = readonly (ModelAnswer | null)[];

/** A user whose events arrive in the order in which they are listed. */
interface Story {
  readonly userId: string;
  readonly made: World;
  readonly model: LedgerModel;
}

describe('awards whose goal is undone by events that arrive later', () => {
  let tables: AppliedTables;
  let awards: AwardTables;

  beforeAll(async () => {
    tables = await AppliedTables.create();
    awards = AwardTables.over(tables.pool);
  });
  afterAll(() => tables.drop());

  describe.each(policies)('with claw_back %s', (clawBack) => {
    const answers: readonly Answers[] = [[null], ['confirmed'], ['rejected'], [null, 'confirmed', null, 'rejected']];

    it.each(answers.map((given) => [given.join(), given] as const))(
      'in every order, answered by "%s", follow the rules',
      async (_, given) => {
        const { task, stories } = verifiedDeposit(clawBack);
        const ledgers = await follow(task, stories, given);
        if (given.length > 1) return;
        // Some orders undo the goal, and reach it again.
        const isTakenBack = { null: clawBack !== 'none', confirmed: clawBack === 'always', rejected: false };
        expect(ledgers.some((ledger) => reissued.test(ledger))).toBe(isTakenBack[`${given[0]}`]);
      },
    );
  });

  it('stay paid, whatever is owed after that, where the bonus engine refuses to take them back', async () => {
    const { task, stories } = verifiedDeposit('always');
    const ledgers = await follow(task, stories, [null, 'confirmed', 'rejected']);
    expect(ledgers).toContain('g1:once: issued confirmed reversed rejected');
  });

  it('follow the rules in random worlds, orders and answers', async () => {
    let undone = 0;
    const answer = fc.constantFrom<ModelAnswer | null>(null, null, 'confirmed', 'rejected');
    const given = fc.tuple(
      world({ maxEvents: 12 }).filter(({ definitions, events }) => definitions.some(isTask) && events.length > 4),
      fc.constantFrom(...policies),
      fc.constantFrom(...undoable),
      fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
      fc.array(answer, { minLength: 1, maxLength: 7 }),
    );
    await fc.assert(
      fc.asyncProperty(given, async ([random, clawBack, condition, turns, answers]) => {
        const inOrder = random.events.map((event, at) => ({ event, turn: turns[at] }));
        inOrder.sort((a, b) => a.turn - b.turn);
        const arriving = inOrder.map(({ event }) => event);
        const made = ownWorld(neverFinal(plain({ ...random, events: arriving }, clawBack, condition)));
        const task = made.definitions.find(isTask)!;
        const arrivals = [...made.events.keys(), made.events.length];
        const owed = arrivals.map((arrived) => owedBy(made, task, arrived).owed);
        fc.pre(new Set(owed.flatMap((each) => [...each])).size < most);
        // Few worlds undo a goal: without this, some runs would have none.
        fc.pre(owed.some((each, at) => [...each].some((occurrence) => owed[at + 1]?.has(occurrence) === false)));
        const [ledger] = await follow(task, [{ userId: 'user', made, model: new LedgerModel(clawBack) }], answers);
        if (ledger.includes('reversed')) undone++;
      }),
      propertyOptions(80),
    );
    if (process.env.PODIUM_PATH === undefined) expect(undone).toBeGreaterThan(0);
  });

  /** Applies the first events of all stories, then the second ones, and so on, with answers between; compares each step. */
  async function follow(task: TaskDefinition, stories: readonly Story[], answers: Answers): Promise<string[]> {
    await tables.clear();
    await tables.approveRates(stories[0].made.rates);
    tables.given.set(...stories[0].made.definitions);
    tables.clockMs = Math.max(...stories.map(({ made }) => endOf(made))) * 1000;
    for (const { userId, made, model } of stories) {
      await linkWorld(tables, made, userId);
      model.owe(owedBy(made, task, 0));
    }
    for (let at = 0; at < stories[0].made.events.length; at++) {
      await tables.apply(stories.map(({ userId, made }) => eventData(made.events[at], userId)));
      for (const { made, model } of stories) model.owe(owedBy(made, task, at + 1));
      await compare(task, stories);
      await answerOpen(task, stories, answers[at % answers.length]);
    }
    await compare(task, stories);
    return stories.map(({ model }) => model.describe().join('; '));
  }

  async function compare(task: TaskDefinition, stories: readonly Story[]): Promise<void> {
    const { rows } = await tables.pool.query<{ text: string }>(
      `SELECT user_id || ' ' || occurrence || ': ' || string_agg(kind, ' ' ORDER BY seq) AS text
       FROM engagement.awards JOIN engagement.ledger_entries USING (award_id) WHERE task_id = $1
       GROUP BY user_id, occurrence`,
      [task.definitionId],
    );
    const { rows: left } = await tables.pool.query<{ left: string | null }>(
      'SELECT sum(available)::text AS left FROM engagement.budget_shards WHERE task_id = $1',
      [task.definitionId],
    );
    const found = {
      ledgers: rows.map(({ text }) => text).sort(),
      paid: await paidToOthers(task),
      issued: await issuedTo(task, stories),
      spent: budget - Number(left[0].left ?? budget),
    };
    expect(found).toEqual({
      ledgers: stories.flatMap(({ userId, model }) => model.describe().map((text) => `${userId} ${text}`)).sort(),
      paid: stories.flatMap(({ userId, model }) => model.paid.map((occurrence) => `${userId} ${occurrence}`)).sort(),
      issued: stories.map(({ model }) => model.paid.length),
      spent: stories.reduce((sum, { model }) => sum + model.spent, 0),
    });
  }

  /** The awards whose accounts no other user is paid for, as a further user of all these accounts finds them. */
  async function paidToOthers(task: TaskDefinition): Promise<string[]> {
    const { rows } = await tables.pool.query<{ key: string; occurrence: string; account: string }>(
      `SELECT user_id || ' ' || occurrence AS key, occurrence, platform_user_id AS account
       FROM engagement.awards WHERE task_id = $1`,
      [task.definitionId],
    );
    const finding = { task, user: { userRef: 0, platform: task.platform, userId: 'a further user' } };
    const wanted = rows.map(({ occurrence, account }) => ({ finding, account, range: rangeOfKey(occurrence) }));
    const paid = await readPaidToOthers(queryable(tables.pool), wanted);
    return [...new Set(paid.map(({ at }) => rows[at].key))].sort();
  }

  /** How many awards of each user are reported. */
  async function issuedTo(task: TaskDefinition, stories: readonly Story[]): Promise<number[]> {
    const { rows: users } = await tables.pool.query<{ userRef: number; userId: string }>(
      'SELECT user_ref AS "userRef", user_id AS "userId" FROM engagement.users',
    );
    const counts = await countOccurrences(queryable(tables.pool), task.definitionId, users, 'any');
    const byId = new Map(users.map(({ userRef, userId }) => [userId, counts.find((each) => each.userRef === userRef)]));
    return stories.map(({ userId }) => byId.get(userId)?.issued ?? 0);
  }

  /** Sends each answer twice, and then its contrary. */
  async function answerOpen(
    task: TaskDefinition,
    stories: readonly Story[],
    answer: ModelAnswer | null,
  ): Promise<void> {
    if (answer === null) return;
    const contrary = answer === 'confirmed' ? 'rejected' : 'confirmed';
    const { rows } = await tables.pool.query<{ award_id: string; key: string }>(
      `SELECT award_id, user_id || ' ' || occurrence AS key FROM engagement.awards WHERE task_id = $1`,
      [task.definitionId],
    );
    const idOf = new Map(rows.map(({ key, award_id }) => [key, award_id]));
    const results = stories.flatMap(({ userId, model }, turn) =>
      model.occurrences.flatMap((occurrence, at) => {
        const open = model.open(occurrence);
        if (open.length === 0) return [];
        // An answer to an issue may also come after its reversal.
        const seq = open[(turn + at) % open.length];
        model.answer(occurrence, seq, answer);
        return [{ award_id: idOf.get(`${userId} ${occurrence}`)!, seq, result: answer }];
      }),
    );
    const outcomes = await awards.answer(
      ...[...results, ...results],
      ...results.map((result) => ({ ...result, result: contrary }) as const),
    );
    const kinds = ['applied', 'repeated', 'contradicting'].flatMap((kind) => results.map(() => kind));
    expect(outcomes.map(({ kind }) => kind)).toEqual(kinds);
  }
});

/** What is true and false in turn, as kyc events and log-ins arrive. */
const undoable: readonly Condition[] = [
  { not: { count: { event: 'login', where: [] }, window: { lifetime: true }, op: 'gte', value: '1' } },
  { latest: 'kyc_status', where: [{ attribute: 'status', op: 'exists' }] },
  { not: { latest: 'bet', where: [{ attribute: 'game', op: 'exists' }] } },
];

const anyDeposit: Condition = {
  count: { event: 'deposit', where: [] },
  window: { lifetime: true },
  op: 'gte',
  value: '1',
};

/** The occurrences that are owed, and those that can be paid, once the first events have arrived. */
function owedBy(made: World, task: TaskDefinition, arrived: number): OwedOccurrences {
  const owed = owedOf({ ...made, events: made.events.slice(0, arrived) }, task, endOf(made), { limit: most });
  const closesAt = Math.min(task.versions[0].body.ends_at ?? Infinity, task.endedAt ?? Infinity) + horizonS;
  const isPayable = (account: string | null, reachedAt: number): boolean =>
    account !== null || made.links.some(({ linkedAt }) => linkedAt > reachedAt && linkedAt < closesAt);
  const payable = owed.filter(({ account, reachedAt }) => isPayable(account, reachedAt));
  return {
    owed: new Set(owed.map(({ occurrence }) => occurrence)),
    payable: new Set(payable.map(({ occurrence }) => occurrence)),
  };
}

/** A world with its first task alone, whose goal is often undone, and which pays all that is owed. */
function plain(made: World, clawBack: ClawBack, condition: Condition): World {
  const task = made.definitions.find(isTask)!;
  const [{ body: stated, ...version }] = task.versions;
  const { eligible: _eligible, ends_at: _endsAt, ...body } = stated;
  const starts_at = Math.min(...made.events.map(({ createdAt }) => createdAt));
  const simple: TaskDefinition['versions'][number] = {
    ...version,
    body: {
      ...{ ...body, starts_at },
      goal: 'every' in body.repeat ? body.goal : { all: [{ any: [body.goal, anyDeposit] }, condition] },
      ...{ claw_back: clawBack, max_per_event: 1_000, max_per_user: 1_000 },
      ...{ reward: { type: 'points', amount: '1' }, budget: { total: `${budget}` } },
    },
  };
  const segments = made.definitions.filter(({ kind }) => kind === 'segment');
  return { ...made, definitions: [...segments, { ...task, paused: false, endedAt: null, versions: [simple] }] };
}

/** Held at 10 by the check of 4 and the deposit, undone by that of 6, reached again by that of 8: a user for each order. */
function verifiedDeposit(clawBack: ClawBack): { task: TaskDefinition; stories: Story[] } {
  const definition = taskOf('task', {
    goal: {
      all: [
        { count: { event: 'deposit', where: [] }, window: { lifetime: true }, op: 'gte', value: '1' },
        { latest: 'kyc', where: [{ attribute: 'status', op: 'eq', value: 'passed' }] },
      ],
    },
    ...{ repeat: { once: true }, claw_back: clawBack, starts_at: t0 - dayS, ends_at: t0 + 11 },
    ...{ reward: { type: 'points', amount: '1' }, budget: { total: `${budget}` } },
  });
  const [version] = definition.versions;
  const inForce: TaskDefinition = { ...definition, versions: [{ ...version, inForceFrom: t0 - dayS }] };
  const { definitions } = ownWorld({ definitions: [inForce], events: [], links: [], rates: [], horizonS });
  const happened: readonly { afterS: number; name: string; attributes: Record<string, string> }[] = [
    { afterS: 4, name: 'kyc', attributes: { status: 'passed' } },
    { afterS: 10, name: 'deposit', attributes: {} },
    { afterS: 6, name: 'kyc', attributes: { status: 'review' } },
    { afterS: 8, name: 'kyc', attributes: { status: 'passed' } },
  ];
  const stories = permutations(happened).map((order, at): Story => {
    const account = `account-${at}`;
    const events = order.map(({ afterS, name, attributes }): HistoryEvent => {
      const times = { createdAt: t0 + afterS, receivedAt: t0 + 60, linkedAt: t0 - dayS };
      return { id: `${account}-${afterS}`, name, attributes, account, contractVersion: 1, ...times };
    });
    const links = [{ linkedAt: t0 - dayS, unlinkedAt: null, account }];
    return {
      userId: `user-${at}`,
      made: { definitions, events, links, rates: [], horizonS },
      model: new LedgerModel(clawBack),
    };
  });
  return { task: definitions.find(isTask)!, stories };
}

function isTask(definition: { readonly kind: string }): definition is TaskDefinition {
  return definition.kind === 'task';
}

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}
