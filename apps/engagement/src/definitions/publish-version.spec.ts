import { Definition, VersionState } from './definition.entity';
import { publishVersion } from './publish-version';

const now = new Date('2026-11-20T12:00:00Z');
const goal = { count: { event: 'deposit' }, window: { lifetime: true }, op: 'gte', value: 1 } as const;

function version(
  number: number,
  state: VersionState,
  changes: { value?: number; ends_at?: string; generation?: number } = {},
): Definition {
  const { value = 1, ends_at, generation } = changes;
  return Object.assign(new Definition(), {
    definitionId: 'd',
    version: number,
    kind: 'task',
    state,
    generation: generation ?? (state === 'draft' ? null : 1),
    countsFrom: state === 'draft' ? null : new Date('2026-11-01T00:00:00Z'),
    body: { goal: { ...goal, value }, repeat: { once: true }, reward: { type: 'points', amount: '1' }, ends_at },
  });
}

describe('publishing a version', () => {
  it('starts the first generation, from now on', () => {
    expect(publishVersion(version(1, 'draft'), [], now)).toEqual({
      generation: 1,
      countsFrom: now,
      state: 'published',
    });
  });

  it('carries progress over when goal and repeat are unchanged, and starts a new generation otherwise', () => {
    const live = version(1, 'published');
    const same = version(2, 'draft', { ends_at: '2026-12-01T00:00:00Z' });
    expect(publishVersion(same, [live], now)).toMatchObject({ generation: 1, countsFrom: live.countsFrom });
    expect(publishVersion(version(2, 'draft', { value: 2 }), [live], now)).toMatchObject({
      generation: 2,
      countsFrom: now,
    });
  });

  it('never reuses a generation', () => {
    const others = [version(1, 'replaced', { value: 1 }), version(2, 'published', { value: 2, generation: 2 })];
    expect(publishVersion(version(3, 'draft', { value: 1 }), others, now).generation).toBe(3);
  });

  it('leaves a paused definition paused', () => {
    expect(publishVersion(version(2, 'draft'), [version(1, 'paused')], now).state).toBe('paused');
  });

  it.each<[string, Definition, Definition[]]>([
    ['is published already', version(1, 'published'), []],
    ['is older than the one in force', version(1, 'draft'), [version(2, 'published')]],
    ['ends at once', version(1, 'draft', { ends_at: '2026-11-20T12:05:00Z' }), []],
    [
      'would move an end that has passed',
      version(2, 'draft', { ends_at: '2026-12-01T00:00:00Z' }),
      [version(1, 'published', { ends_at: '2026-11-20T12:04:00Z' })],
    ],
  ])('refuses one that %s', (_label, draft, others) => {
    expect(() => publishVersion(draft, others, now)).toThrow();
  });
});
