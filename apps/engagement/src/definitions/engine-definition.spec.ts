import { StoredVersion, engineDefinition } from './engine-definition';

const goal = { count: { event: 'deposit' }, window: { lifetime: true }, op: 'gte', value: 1 };

function stored(version: number, changes: Partial<StoredVersion> = {}): StoredVersion {
  return {
    definitionId: 'd',
    version,
    generation: 1,
    kind: 'task',
    platform: 'acme',
    organizerId: 'organizer-1',
    body: { goal, repeat: { once: true }, reward: { type: 'points', amount: '1' } },
    attributeTypes: {},
    state: 'replaced',
    publishedAt: new Date(version * 100_000 + 500),
    countsFrom: new Date(100_500),
    inForceFrom: null,
    endedAt: null,
    endedWhilePaused: false,
    recount: false,
    maxPerDay: null,
    ...changes,
  };
}

describe('the definition of the engine', () => {
  it('has versions of the release before in force from their publication on, generations from counts_from', () => {
    const { versions } = engineDefinition([
      stored(1, { publishedAt: new Date(5_000_000) }),
      stored(2),
      stored(3, { generation: 2, countsFrom: new Date(300_000) }),
      stored(4, { generation: 2, countsFrom: new Date(300_000), inForceFrom: 1200, state: 'published' }),
      stored(5, { generation: 2, countsFrom: new Date(300_000), publishedAt: new Date(400_000) }),
    ]);
    expect(versions.map(({ inForceFrom }) => inForceFrom)).toEqual([100, 200, 300, 1200, 1201]);
    expect(versions[0].body).toMatchObject({ max_per_user: 1, zone: 'UTC' });
  });

  it('is paused while it is, and after it ended paused', () => {
    const ended = { state: 'ended', endedAt: new Date(900_000), endedWhilePaused: true } as const;
    const segment = { kind: 'segment', body: { condition: goal } } as const;
    expect(engineDefinition([stored(1, { state: 'published' })])).toMatchObject({
      paused: false,
      endedAt: null,
    });
    expect(engineDefinition([stored(1, { state: 'paused' })]).paused).toBe(true);
    expect(engineDefinition([stored(1, ended)])).toMatchObject({ paused: true, endedAt: 900 });
    expect(engineDefinition([stored(1, { ...ended, ...segment })]).paused).toBe(true);
  });

  it('merges the specifications of all versions', () => {
    const money = (currencies: Record<string, number>) => ({
      deposit: { paid: { type: 'decimal', currencyAttribute: 'currency', currencies } } as const,
    });
    const { specs } = engineDefinition([
      stored(1, { attributeTypes: { deposit: { level: 'integer' }, bet: { game: 'string' } } }),
      stored(2, { attributeTypes: money({ EUR: 1 }) }),
      stored(3, { attributeTypes: money({ EUR: 1, USD: 2 }) }),
    ]);
    expect(specs).toEqual({
      deposit: {
        level: { type: 'integer' },
        paid: { type: 'decimal', currencyAttribute: 'currency', currencies: { EUR: 1, USD: 2 } },
      },
      bet: { game: { type: 'string' } },
    });
  });
});
