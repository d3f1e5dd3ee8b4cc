import { InFlightEvents, SettledEvent } from './in-flight-events';

const identity = { recordId: 'r', content: 'c' };
const accepted: SettledEvent = { identity, outcome: { kind: 'accepted', dropped: [], warnings: [] } };

describe('InFlightEvents', () => {
  it('tells followers how their id was settled, also those that ask after it', async () => {
    const events = new InFlightEvents();
    expect(events.join({ ...identity, content: 'refused' })).toBeUndefined();
    const [early, late] = [events.join(identity), events.join({ ...identity, content: 'other' })];
    const asked = [early?.settled, early?.settled];
    events.settle(accepted);
    expect(await Promise.all([...asked, late?.settled])).toEqual([accepted, accepted, accepted]);
  });

  it('has a new leader after the former one was settled', () => {
    const events = new InFlightEvents();
    events.join(identity);
    events.settle(accepted);
    expect(events.join(identity)).toBeUndefined();
  });
});
