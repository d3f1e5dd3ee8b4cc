import { PartnerUnderTest } from '../support/partner-under-test';
import { faultTable } from './fault-table';
import { SendHistory } from './send-history';
import { FaultKind } from './kinds/fault-kind';
import { FaultRecord } from './fault-record';

const kinds = ['first', 'second'].map((name) => ({ name }) as FaultKind);
const partner = { platform: 'acme' } as PartnerUnderTest;
const user = { userId: 'user', platformUserId: 'account', account: 'account', token: '' };

describe('the fault table', () => {
  it('shows the median and the maximum time to recovery, separately for pairs', () => {
    const table = faultTable(kinds, {
      struck: [1_000, 9_000, 2_000].map((recoveryMs) => struck('first', { recoveryMs })),
      violations: [],
      history: new SendHistory(),
    });
    expect(table).toContain('| first | 3 | 0 | 0 | 0 | 2.0 s | 9.0 s |  |');
    const pair = [
      struck('first', { otherOfPair: 'second', recoveryMs: 4_000 }),
      struck('second', { otherOfPair: 'first', recoveryMs: 4_000 }),
    ];
    const ofPair = faultTable(kinds, { struck: pair, violations: [], history: new SendHistory() });
    expect(ofPair).toContain('| second | 0 | 1 | 0 | 0 |  |  | 4.0 s |');
  });

  it('does not count a fault that could not be injected', () => {
    const table = faultTable(kinds, {
      struck: [struck('first', {}), struck('first', { isMissed: true, problem: 'could not be injected' })],
      violations: [],
      history: new SendHistory(),
    });
    expect(table).toContain('| first | 1 | 0 |');
  });

  it('assigns lost and double-counted events to faults by the time of the first post', () => {
    const history = new SendHistory();
    const { addedAtMs } = history.add(partner, user, { id: 'a', name: 'deposit', created_at: 1 });
    const around = { fromMs: addedAtMs - 10, untilMs: addedAtMs + 10 };
    const table = faultTable(kinds, {
      history,
      struck: [struck('first', around), struck('second', { fromMs: addedAtMs + 1_000, untilMs: addedAtMs + 2_000 })],
      violations: [
        { invariant: 'V1', sentence: 'lost', ids: ['a', 'award-1'], loss: 'lost' },
        { invariant: 'V2', sentence: 'twice', ids: ['award-2'], loss: 'twice' },
        { invariant: 'V7', sentence: 'refused', ids: ['a'] },
      ],
    });
    expect(table).toContain('| first | 1 | 0 | 1 | 0 |');
    expect(table).toContain('| second | 1 | 0 | 0 | 0 |');
    expect(table).toContain('| (no fault) | | | 1 | 1 |');
  });

  function struck(name: string, rest: Partial<FaultRecord>): FaultRecord {
    return { name, hit: name, fromMs: 0, endedMs: 1, untilMs: 2, ...rest };
  }
});
