import { every, findingOf, nextVersion, nowS, one, owedAgo, taskOf } from '../../test/task-findings';
import { horizonS } from '../evaluation/definition';
import { Standing } from './award-standing';
import { compareAwards, undecidedAwards } from './compare-awards';
import { decideAwards, joinRanges } from './decide-awards';
import { KnownAward, Unissued, UnissuedStatus } from './known-award';
import { occurrenceKey, rangeOfKey } from './occurrence-range';
import { TaskFinding } from './task-finding';

const relinked = [{ linkedAt: nowS - 5, unlinkedAt: null, account: 'account-2' }];
const unlinked = { account: null, decidedBy: null };
const day = 86_400;

interface Given {
  readonly awards?: readonly KnownAward[];
  readonly unissued?: readonly Unissued[];
  readonly standing?: Standing;
  /** `<account> <occurrence>` of other users. */
  readonly paid?: readonly string[];
}

describe('what becomes of owed occurrences', () => {
  it('are issued in their order, once', () => {
    const finding = findingOf(taskOf(), [owedAgo(30, every(1)), owedAgo(20, every(2, 3))]);
    expect(decide(finding)).toMatchObject({ issue: ['g1:every:1', 'g1:every:2', 'g1:every:3'], unissued: [] });
    const awards = [1, 2, 3].map((n) => awardOf(`g1:every:${n}`, n === 1 ? 30 : 20));
    expect(decide(finding, { awards })).toEqual({ issue: [], unissued: [], reverse: [], moved: [] });
  });

  it('follow the engine when they are reached at another second, and are not issued again', () => {
    const finding = findingOf(taskOf(), [owedAgo(25, every(1))]);
    expect(decide(finding, { awards: [awardOf('g1:every:1', 30)] })).toMatchObject({
      issue: [],
      moved: ['g1:every:1'],
    });
    expect(decide(finding, { awards: [{ ...awardOf('g1:every:1', 30), owedAt: null }] }).moved).toEqual(['g1:every:1']);
  });

  describe('reversals', () => {
    const undone = (claw_back: 'none' | 'before_confirm' | 'always', standing: Standing, finalTo = nowS - day) =>
      decide(findingOf(edited(claw_back), [], { finalTo }), { awards: [awardOf('g1:once', 30)], standing }).reverse;
    const edited = (claw_back: 'none' | 'before_confirm' | 'always') =>
      nextVersion(taskOf({ claw_back }), { claw_back: claw_back === 'none' ? 'always' : 'none' });

    it.each([
      ['none', 'issued', []],
      ['before_confirm', 'issued', ['g1:once']],
      ['before_confirm', 'confirmed', []],
      ['before_confirm', 'rejected', []],
      ['always', 'issued', ['g1:once']],
      ['always', 'confirmed', ['g1:once']],
      ['always', 'rejected', []],
      ['always', 'kept', []],
    ] as const)('of %s, which the version of the award has, when the award is %s', (policy, standing, reversed) => {
      expect(undone(policy, standing)).toEqual(reversed);
    });

    it('spare what is final, what the engine never found owed, and what was issued before an erasure', () => {
      expect(undone('always', 'issued', nowS - 30)).toEqual(['g1:once']);
      expect(undone('always', 'issued', nowS - 29)).toEqual([]);
      for (const change of [{ owedAt: null }, { isErased: true }])
        expect(
          decide(findingOf(taskOf({ claw_back: 'always' }), []), {
            awards: [{ ...awardOf('g1:once', 30), ...change }],
            standing: 'issued',
          }).reverse,
        ).toEqual([]);
    });

    it('spare what an event passed that arrived when its time was final', () => {
      const task = taskOf({ claw_back: 'always' });
      const awards = [4, 5, 6].map((n) => awardOf(`g1:every:${n}`, 30 - n));
      const finding = { ...findingOf(task, [owedAgo(20, every(6))]), finalSteps: every(3, 4) };
      expect(decide(finding, { awards, standing: 'issued' }).reverse).toEqual(['g1:every:5']);
      const waiting = [rowOf('g1:every:4', 'held_by_pause', 26), rowOf('g1:every:5', 'held_by_pause', 25)];
      expect(decide(finding, { unissued: waiting }).issue).toEqual(['g1:every:4', 'g1:every:6']);
    });

    it('are not prepared by an instant at which a final occurrence is only reached again', () => {
      const again = [owedAgo(10, one('g1:once'))];
      const finding = { ...findingOf(taskOf({ repeat: { once: true } }), again), finalTo: nowS - 20 };
      expect(decide(finding, { awards: [awardOf('g1:once', 30)] }).moved).toEqual([]);
      expect(decide(finding, { awards: [awardOf('g1:once', 15)] }).moved).toEqual(['g1:once']);
      const { candidates } = compareAwards(
        finding,
        { awards: [], unissued: [rowOf('g1:once', 'held_by_pause', 30)], standings: new Map() },
        nowS,
      );
      expect(candidates.map(({ terms }) => terms.reachedAt)).toEqual([nowS - 30]);
    });

    it('do not wait for the end of a pause', () => {
      const finding = findingOf(taskOf({ claw_back: 'always' }, { paused: true }), []);
      expect(decide(finding, { awards: [awardOf('g1:once', 30)], standing: 'issued' }).reverse).toHaveLength(1);
    });

    it('are undone when the goal is reached again, unless the bonus engine refused them', () => {
      const finding = findingOf(taskOf({ repeat: { once: true } }), [owedAgo(10, one('g1:once'))]);
      const awards = [{ ...awardOf('g1:once', 30), reversed: true }];
      expect(decide(finding, { awards, standing: 'reversed' }).issue).toEqual(['g1:once']);
      expect(decide(finding, { awards, standing: 'kept' }).issue).toEqual([]);
    });
  });

  describe('of more than max_per_user (reading 5)', () => {
    const task = taskOf({ max_per_user: 3 });

    it('are not owed', () => {
      expect(decide(findingOf(task, [owedAgo(30, every(1, 2)), owedAgo(20, every(3, 9))]))).toMatchObject({
        issue: ['g1:every:1', 'g1:every:2', 'g1:every:3'],
        unissued: [],
      });
    });

    it.each([
      ['held_by_pause', 0],
      ['held_by_limit', 0],
      ['withheld', 0],
      ['refused', 0],
      ['unlinked', 1],
      ['blocked', 1],
    ] as const)('count those that are %s: %d more', (status, more) => {
      const known = owedAgo(30, every(1), status === 'unlinked' ? unlinked : {});
      const { issue } = decide(findingOf(task, [known, owedAgo(20, every(2, 9))]), {
        unissued: [rowOf('g1:every:1', status, 30)],
        paid: status === 'blocked' ? ['account-1 g1:every:1'] : [],
      });
      expect(issue.filter((occurrence) => occurrence !== 'g1:every:1')).toHaveLength(2 + more);
    });

    it('get no place that one of more than a lowered maximum leaves', () => {
      const owed = [owedAgo(30, every(1, 3)), owedAgo(20, every(4))];
      const given = { unissued: [rowOf('g1:every:1-3', 'held_by_pause', 30)], paid: ['account-1 g1:every:1'] };
      const { issue } = decide(findingOf(taskOf({ max_per_user: 1 }), owed), given);
      expect(issue).toEqual(['g1:every:2', 'g1:every:3']);
    });

    it('stay counted while they are issued, owed or not, and not when they are reversed', () => {
      const owed = [owedAgo(20, every(4, 5))];
      const awards = [1, 2, 3].map((n) => awardOf(`g1:every:${n}`, 30));
      expect(decide(findingOf(task, owed), { awards }).issue).toEqual([]);
      const clawed = taskOf({ max_per_user: 3, claw_back: 'always' });
      expect(decide(findingOf(clawed, owed), { awards, standing: 'issued' })).toMatchObject({
        issue: ['g1:every:4', 'g1:every:5'],
        reverse: ['g1:every:1', 'g1:every:2', 'g1:every:3'],
      });
    });

    it('are one over all generations of once', () => {
      const finding = findingOf(taskOf({ repeat: { once: true } }), [owedAgo(20, one('g2:once'))]);
      expect(decide(finding).issue).toEqual(['g2:once']);
      expect(decide(finding, { awards: [awardOf('g1:once', 100 * day)] }).issue).toEqual([]);
    });

    it('come by the newest version, and lowering it takes nothing back', () => {
      const lowered = nextVersion(taskOf({ claw_back: 'always' }), { max_per_user: 1 });
      const awards = [awardOf('g1:every:1', 30), awardOf('g1:every:2', 30)];
      const finding = findingOf(lowered, [owedAgo(30, every(1, 3))]);
      expect(decide(finding, { awards, standing: 'issued' })).toMatchObject({ issue: [], reverse: [] });
    });
  });

  describe('of one instant beyond max_per_event', () => {
    it('are held as one range, within max_per_user', () => {
      const task = taskOf({ max_per_event: 2, max_per_user: 6 });
      expect(decide(findingOf(task, [owedAgo(30, every(1, 9)), owedAgo(20, every(10))]))).toMatchObject({
        issue: ['g1:every:1', 'g1:every:2'],
        unissued: ['held_by_limit g1:every:3-6'],
      });
    });

    it('stay held, and what is issued of the instant counts', () => {
      const task = taskOf({ max_per_event: 2, max_per_user: 9 });
      const finding = findingOf(task, [owedAgo(30, every(1, 5))]);
      const given = { awards: [awardOf('g1:every:1', 30)], unissued: [rowOf('g1:every:2-3', 'held_by_limit', 30)] };
      expect(decide(finding, given)).toMatchObject({
        issue: ['g1:every:4'],
        unissued: ['held_by_limit g1:every:2-3', 'held_by_limit g1:every:5'],
      });
    });

    it('stay held beside what the budget or a formula withholds: an approver of that does not decide about the limit', () => {
      const task = taskOf({ max_per_event: 3, max_per_user: 9 });
      const finding = findingOf(task, [owedAgo(30, every(1, 5)), owedAgo(20, every(6, 9))]);
      const unissued = [rowOf('g1:every:1-2', 'withheld', 30), rowOf('g1:every:3', 'refused', 30)];
      expect(decide(finding, { unissued })).toMatchObject({
        issue: ['g1:every:4', 'g1:every:6', 'g1:every:7', 'g1:every:8'],
        unissued: [
          'withheld g1:every:1-2',
          'refused g1:every:3',
          'held_by_limit g1:every:5',
          'held_by_limit g1:every:9',
        ],
      });
    });
  });

  describe('of a paused task', () => {
    it('are held, without a look at account or limit', () => {
      const task = taskOf({ max_per_user: 3, max_per_event: 1 }, { paused: true });
      const finding = findingOf(task, [owedAgo(30, every(1, 2)), owedAgo(20, every(3, 9), unlinked)]);
      expect(decide(finding)).toMatchObject({
        issue: [],
        unissued: ['held_by_pause g1:every:1-2', 'held_by_pause g1:every:3'],
      });
    });

    it('are issued after it if they are still owed, by the same rules, and also when they became final', () => {
      const task = taskOf({ max_per_event: 1 });
      const rows = [
        rowOf('g1:every:1', 'held_by_pause', 20 * day),
        rowOf('g1:every:2-3', 'held_by_pause', 30),
        rowOf('g1:every:4', 'held_by_pause', 20),
      ];
      const { issue, unissued } = decide(findingOf(task, [owedAgo(30, every(2, 3))]), { unissued: rows });
      expect(issue).toEqual(['g1:every:1', 'g1:every:2']);
      expect(unissued).toEqual(['held_by_limit g1:every:3']);
    });

    it('keep nothing that is no longer owed', () => {
      const rows = [rowOf('g1:every:1', 'unlinked', 30), rowOf('g1:every:2', 'withheld', 30)];
      const finding = findingOf(taskOf({}, { paused: true }), [], { links: relinked });
      expect(decide(finding, { unissued: rows }).unissued).toEqual([]);
    });
  });

  describe('of a user who is not linked (reading 6)', () => {
    const owed = [owedAgo(30, one('2026-11'), unlinked)];

    it('wait for a link, and are issued to its account', () => {
      const task = taskOf({ repeat: { per: 'month' } });
      expect(decide(findingOf(task, owed)).unissued).toEqual(['unlinked 2026-11']);
      const earlier = { linkedAt: nowS - 30, unlinkedAt: null, account: 'account-0' };
      expect(decide(findingOf(task, owed, { links: [earlier] })).issue).toEqual([]);
      expect(decide(findingOf(task, owed, { links: [earlier, ...relinked] })).issue).toEqual(['2026-11']);
      expect(accountsOf(findingOf(task, owed, { links: [earlier, ...relinked] }))).toEqual(['account-2']);
      const [{ linkedAt }] = relinked;
      const ended = { linkedAt, unlinkedAt: linkedAt, account: 'account-1' };
      expect(accountsOf(findingOf(task, owed, { links: [ended, ...relinked, ended] }))).toEqual(['account-2']);
    });

    it('are issued with a later link also when they have become final, if it begins before the task closes', () => {
      const row = { ...rowOf('2026-11', 'unlinked', 40 * day) };
      const without = { ...row, terms: { ...row.terms, account: null } };
      const at = (closesInS: number) =>
        findingOf(taskOf({ repeat: { per: 'month' }, ends_at: nowS + closesInS - horizonS }), [], { links: relinked });
      expect(decide(at(-4), { unissued: [without] })).toMatchObject({ issue: ['2026-11'], unissued: [] });
      expect(decide(at(-5), { unissued: [without] })).toMatchObject({ issue: [], unissued: ['unlinked 2026-11'] });
      const ended = { ...at(-4), task: taskOf({}, { endedAt: nowS - horizonS - 5 }) };
      expect(decide(ended, { unissued: [without] }).issue).toEqual([]);
    });
  });

  describe('of an account that was paid under another user (reading 7)', () => {
    it('are blocked, each by its own key, and do not take the place of others', () => {
      const finding = findingOf(taskOf({ max_per_user: 2, max_per_event: 2 }), [owedAgo(30, every(1, 4))]);
      expect(decide(finding, { paid: ['account-1 g1:every:1', 'account-1 g1:every:3'] })).toMatchObject({
        issue: ['g1:every:2', 'g1:every:4'],
        unissued: ['blocked g1:every:1', 'blocked g1:every:3'],
      });
    });

    it('are issued once the block has ended', () => {
      const finding = findingOf(taskOf(), [owedAgo(30, every(1))]);
      const unissued = [rowOf('g1:every:1', 'blocked', 30), rowOf('g1:every:2', 'blocked', 20 * day)];
      expect(decide(finding, { unissued })).toMatchObject({ issue: ['g1:every:2', 'g1:every:1'], unissued: [] });
    });

    it.each([
      ['by another account', taskOf(), { account: 'account-2' }, ['g1:every:2']],
      ['while the task is paused', taskOf({}, { paused: true }), {}, []],
      ['while the user is not linked', taskOf(), unlinked, []],
    ])('stay blocked by the account that has blocked them, when they are reached %s', (_, task, reached, issued) => {
      const finding = findingOf(task, [owedAgo(30, every(1, 2), reached)]);
      const unissued = [rowOf('g1:every:1', 'blocked', 20), rowOf('g1:every:2', 'blocked', 20)];
      const decided = decide(finding, { unissued, paid: ['account-1 g1:every:1'] });
      expect(decided.unissued).toContain('blocked g1:every:1');
      expect(decided.issue).toEqual(issued);
    });

    it('are blocked for good once the task has closed', () => {
      const unissued = [rowOf('g1:every:1', 'blocked', 30), rowOf('g1:every:2', 'unlinked', 20)];
      const isForGood = (closesInS: number): boolean[] => {
        const owed = [owedAgo(30, every(1)), owedAgo(20, every(2))];
        const finding = findingOf(taskOf({ ends_at: nowS + closesInS - horizonS }), owed);
        const { candidates } = compareAwards(finding, { awards: [], unissued, standings: new Map() }, nowS);
        return candidates.map(({ isBlockedForGood }) => isBlockedForGood);
      };
      expect(isForGood(1)).toEqual([false, false]);
      expect(isForGood(0)).toEqual([true, false]);
    });
  });

  it('are withheld without an amount, until the formula gives one (reading 15)', () => {
    const absent = owedAgo(30, every(1), { reward: { unpayable: 'amount_absent' } });
    expect(decide(findingOf(taskOf(), [absent])).unissued).toEqual(['withheld g1:every:1 amount_absent']);
    const unissued = [{ ...rowOf('g1:every:1', 'withheld', 30), reason: 'amount_absent' } as const];
    expect(decide(findingOf(taskOf(), [absent]), { unissued }).unissued).toHaveLength(1);
    expect(decide(findingOf(taskOf(), [owedAgo(30, every(1))]), { unissued }).issue).toEqual(['g1:every:1']);
    const byBudget = [{ ...unissued[0], reason: 'budget_total' } as const];
    expect(decide(findingOf(taskOf(), [owedAgo(30, every(1))]), { unissued: byBudget }).issue).toEqual([]);
  });

  describe('of a second that the clock has yet to reach, found by an instance whose clock is ahead', () => {
    const task = taskOf({ claw_back: 'always', max_per_user: 1 });
    const againOf = (finding: TaskFinding, known: Pick<Given, 'awards' | 'unissued'>) => {
      const { awards = [], unissued = [] } = known;
      const standings = new Map(awards.map(({ awardId }) => [awardId, 'issued'] as const));
      const undecided = undecidedAwards(finding, awards, nowS).map(({ awardId }) => awardId);
      return { ...compareAwards(finding, { awards, unissued, standings }, nowS), undecided };
    };

    it.each([
      [-1, { reverse: [], undecided: [], againAt: nowS + 1 }],
      [0, { reverse: [{ awardId: 'g1:every:1' }], undecided: ['g1:every:1'], againAt: null }],
    ])('are reversed from that second on: %d s ago', (secondsAgo, expected) => {
      const awards = [awardOf('g1:every:1', secondsAgo)];
      expect(againOf(findingOf(task, []), { awards })).toMatchObject({ ...expected, filled: secondsAgo < 0 ? 1 : 0 });
    });

    it('move to an earlier second, without a wait', () => {
      const comparison = againOf(findingOf(task, [owedAgo(3, every(1))]), { awards: [awardOf('g1:every:1', -1)] });
      expect(comparison).toMatchObject({ reverse: [], moved: [{ owedAt: nowS - 3 }], againAt: null });
    });

    it.each(['held_by_pause', 'held_by_limit', 'withheld', 'unlinked', 'blocked'] as const)(
      'stay %s until then, with their place',
      (status) => {
        const unissued = [rowOf('g1:every:1', status, -1), rowOf('g1:every:2', 'held_by_pause', -2)];
        const finding = findingOf(taskOf({ max_per_user: 2 }), [owedAgo(3, every(3, 4))]);
        const isPlaceTaken = status !== 'unlinked' && status !== 'blocked';
        expect(decide(finding, { unissued })).toMatchObject({
          issue: isPlaceTaken ? [] : ['g1:every:3'],
          unissued: [`${status} g1:every:1`, 'held_by_pause g1:every:2'],
        });
        expect(againOf(finding, { unissued }).againAt).toBe(nowS + 1);
        expect(againOf(finding, { unissued: [rowOf('g1:every:1', 'refused', -1)] }).againAt).toBeNull();
      },
    );

    it('wait for a link that begins then', () => {
      const owed = [owedAgo(30, every(1), unlinked)];
      const linksAt = (linkedAt: number) => [{ linkedAt, unlinkedAt: null, account: 'account-2' }];
      const finding = findingOf(task, owed, { links: linksAt(nowS + 1) });
      expect(decide(finding)).toMatchObject({ issue: [], unissued: ['unlinked g1:every:1'] });
      expect(againOf(finding, {}).againAt).toBe(nowS + 1);
      expect(againOf(findingOf(task, owed, { links: linksAt(nowS) }), {}).againAt).toBeNull();
    });
  });

  it('disappear when they are no longer owed and not final; refused ones stay', () => {
    const unissued = [
      rowOf('g1:every:1', 'held_by_limit', 40 * day),
      rowOf('g1:every:2', 'held_by_limit', 30),
      rowOf('g1:every:3', 'refused', 30),
    ];
    expect(decide(findingOf(taskOf(), []), { unissued }).unissued).toEqual([
      'held_by_limit g1:every:1',
      'refused g1:every:3',
    ]);
  });
});

function decide(finding: TaskFinding, { awards = [], unissued = [], standing, paid = [] }: Given = {}) {
  const standings = new Map(standing ? awards.map(({ awardId }) => [awardId, standing]) : []);
  const comparison = compareAwards(finding, { awards, unissued, standings }, nowS);
  const decision = decideAwards(finding, comparison, { has: (account, key) => paid.includes(`${account} ${key}`) });
  return {
    issue: decision.issue.map(({ occurrence }) => occurrence),
    unissued: joinRanges(decision.unissued).map(textOf),
    reverse: comparison.reverse.map(({ awardId }) => awardId),
    moved: comparison.moved.map(({ award }) => award.awardId),
  };
}

function accountsOf(finding: TaskFinding): string[] {
  const comparison = compareAwards(finding, { awards: [], unissued: [], standings: new Map() }, nowS);
  return decideAwards(finding, comparison, { has: () => false }).issue.map(({ account }) => account);
}

/** An award under its occurrence as id. */
function awardOf(occurrence: string, secondsAgo: number): KnownAward {
  const range = rangeOfKey(occurrence);
  return { awardId: occurrence, range, version: 1, owedAt: nowS - secondsAgo, reversed: false, isErased: false };
}

function rowOf(occurrences: string, status: UnissuedStatus, secondsAgo: number): Unissued {
  const [first, last] = occurrences.startsWith('g1:every') ? occurrences.split('-') : [occurrences];
  const { occurrences: _occurrences, decidedBy: _decidedBy, ...terms } = owedAgo(secondsAgo, every(1));
  const range = rangeOfKey(first);
  const reason = status === 'withheld' ? ('budget_total' as const) : null;
  return { range: { ...range, last: Number(last ?? range.last) }, status, reason, terms };
}

function textOf({ range, status, reason }: Unissued): string {
  const to = range.last > range.first ? `-${range.last}` : '';
  const why = reason === null || reason.startsWith('budget') ? '' : ` ${reason}`;
  return `${status} ${occurrenceKey(range.series, range.first)}${to}${why}`;
}
