import { FaultContext } from './fault-context';
import { allKinds, kindsNamed } from './kinds/all-fault-kinds';
import { possibleKinds } from './possible-kinds';

/** What kinds ask about before they are injected: a cluster of one broker. */
const ofOneBroker = { servers: { kafka: { brokers: [{}] } } } as unknown as FaultContext;

describe('possibleKinds', () => {
  it('refuses a run whose kinds are all impossible, and says why', () => {
    expect(() => possibleKinds(kindsNamed('leaders-moved'), ofOneBroker, () => undefined)).toThrow(
      /^None of these kinds is possible here: leaders-moved: .+\.$/,
    );
  });

  it('leaves out and names what is impossible beside what is possible', () => {
    const said: string[] = [];
    const always = allKinds.filter(({ impossible }) => impossible === undefined).slice(0, 1);
    const kinds = [...kindsNamed('leaders-moved'), ...always];
    expect(possibleKinds(kinds, ofOneBroker, (line) => said.push(line))).toEqual(always);
    expect(said).toEqual([expect.stringMatching(/^leaders-moved is skipped: /)]);
  });
});
