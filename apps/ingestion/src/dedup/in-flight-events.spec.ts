import { AdmissionOutcome } from '../event/outcome';
import { InFlightEvents } from './in-flight-events';

const identity = { recordId: 'r', content: 'c' };
const accepted: AdmissionOutcome = { kind: 'accepted', dropped: [], warnings: [] };

describe('InFlightEvents', () => {
  it('tells followers the outcome of their leader, also those that ask after it was settled', async () => {
    const events = new InFlightEvents();
    expect(events.join(identity)).toBeUndefined();
    const [early, late] = [events.join(identity), events.join({ ...identity, content: 'other' })];
    const asked = [early?.outcome, early?.outcome];
    events.settle(identity, accepted);
    expect(await Promise.all([...asked, late?.outcome])).toEqual([accepted, accepted, accepted]);
    expect(late?.content).toBe('c');
  });

  it('has a new leader after the former one was settled', () => {
    const events = new InFlightEvents();
    events.join(identity);
    events.settle(identity, accepted);
    expect(events.join(identity)).toBeUndefined();
  });
});
