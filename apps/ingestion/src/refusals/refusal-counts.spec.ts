import { Refusal, RefusalCounts } from './refusal-counts';

describe('RefusalCounts', () => {
  let counts: RefusalCounts;

  beforeEach(() => (counts = new RefusalCounts(() => 1)));

  const add = (platform: string, ...users: string[]): void => {
    const refusal = { code: 'user_not_linked', message: 'm' } as const satisfies Partial<Refusal>;
    for (const platformUserId of users) counts.add({ ...refusal, platform, platformUserId });
  };
  const invented = (count: number): string[] => Array.from({ length: count }, (_, at) => `invented-${at}`);
  const usersOf = (platform: string): string[] =>
    counts.take().flatMap((each) => (each.platform === platform ? [each.platformUserId] : []));

  it('counts further users of a platform together when it has invented thousands', () => {
    add('acme', ...invented(6_000));
    const taken = counts.take();
    expect(taken).toHaveLength(5_001);
    expect(taken.at(-1)).toMatchObject({ platform: 'acme', platformUserId: '', count: 1_000 });
  });

  it('keeps the users of other platforms apart from those of one that invents users', () => {
    add('acme', ...invented(6_000));
    add('zenith', 'ann', 'bob', 'ann');
    expect(usersOf('zenith')).toEqual(['ann', 'bob']);
    // Each flush begins without users.
    add('acme', 'carol');
    expect(usersOf('acme')).toEqual(['carol']);
  });

  it('stays bounded when many platforms invent users', () => {
    for (let platform = 0; platform < 50; platform++) add(`p-${platform}`, ...invented(6_000));
    expect(counts.take().length).toBeLessThan(5 * 5_000);
  });

  it('has the places of erased users for others', () => {
    add('acme', ...invented(5_000));
    counts.forget([{ platform: 'acme', platformUserId: 'invented-0' }]);
    add('acme', 'ann', 'bob');
    expect(usersOf('acme').slice(-2)).toEqual(['ann', '']);
  });
});
