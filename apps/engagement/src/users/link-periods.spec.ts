import { deposits, segmentOf } from '../../test/given-definitions';
import { evaluateSegment } from '../evaluation/evaluate-segment';
import { LinkPeriod } from '../evaluation/history';
import { UserView } from '../evaluation/user-history';
import { definitionSet } from '../progress/definition-set';
import { RecordedPeriod, ViewedLink, linkPeriodsOf } from './link-periods';

const platform = 'acme';
const nowS = 10_000_000;
const id = '00000000-0000-4000-8000-000000000001';
const idle = definitionSet([segmentOf(id, { absent: deposits, window: { rolling: 'P2D' } })]).byId.get(id)!;

/** Periods of a user with an account each, and how often their beginnings were read. */
function linkedOften(count: number): { readonly periods: RecordedPeriod[]; reads: () => number } {
  let reads = 0;
  const periods = Array.from({ length: count }, (_, at): RecordedPeriod => ({
    ...{ platform, userId: 'ann', account: `sub-${at}`, unlinkedAt: 10 * at + 5, revision: at + 1 },
    get linkedAt() {
      reads++;
      return 10 * at;
    },
  }));
  return { periods, reads: () => reads };
}

function growthOf(work: (periods: readonly RecordedPeriod[]) => unknown): number {
  const [few, many] = [linkedOften(200), linkedOften(800)];
  for (const { periods } of [few, many]) work(periods);
  return many.reads() / few.reads();
}

describe('the links of a user who links again and again', () => {
  it('are each read a bounded number of times where they are put together', () => {
    const viewed = (each: RecordedPeriod): ViewedLink =>
      Object.create(each, { state: { value: 'ready' } }) as ViewedLink;
    expect(growthOf((periods) => linkPeriodsOf(periods, periods.map(viewed), []))).toBeLessThan(6);
    expect(growthOf((periods) => linkPeriodsOf(periods, [], periods.map(viewed)))).toBeLessThan(6);
  });

  it('are each read a bounded number of times where a segment is evaluated at each of them', () => {
    const evaluate = (links: readonly LinkPeriod[]): unknown =>
      idle.kind === 'segment' && evaluateSegment(idle, new UserView(new Map(), links), idle.names, nowS);
    expect(growthOf(evaluate)).toBeLessThan(6);
  });

  it('are in force where any of them is', () => {
    const links = [
      { linkedAt: 100, unlinkedAt: 500, account: 'sub-1' },
      { linkedAt: 200, unlinkedAt: 300, account: 'sub-2' },
      { linkedAt: 600, unlinkedAt: null, account: 'sub-1' },
    ];
    const view = new UserView(new Map(), links);
    const at = [99, 100, 299, 300, 499, 500, 599, 600, nowS];
    expect(at.map((atS) => view.isLinkedAt(atS))).toEqual([false, true, true, true, true, false, false, true, true]);
    expect(at.map((atS) => view.linkAt(atS)?.linkedAt)).toEqual([undefined, 100, 200, 200, 200, 200, 200, 600, 600]);
  });
});
