import { SegmentBody, TaskBody } from '../evaluation/definition';
import { KnownSegment, requireSegments, segmentReferences } from './segment-references';

const on = (...ids: string[]): SegmentBody => ({
  condition: { all: ids.map((id) => ({ in_segment: id })) },
  zone: 'UTC',
});
const known = (segments: Record<string, SegmentBody[]>, ended: string[] = []): Map<string, KnownSegment> =>
  new Map(Object.entries(segments).map(([id, bodies]) => [id, { isEnded: ended.includes(id), bodies }]));
/** Segments each of which refers to the next one. */
const chainOf = (...ids: string[]): Record<string, SegmentBody[]> =>
  Object.fromEntries(ids.map((id, i) => [id, [on(...ids.slice(i + 1, i + 2))]]));
const eligible = (segmentId: string): TaskBody => ({
  ...{ goal: { latest: 'kyc', where: [] }, repeat: { once: true }, zone: 'UTC', eligible: segmentId },
  ...{ reward: { type: 'points', amount: '1' }, claw_back: 'none', max_per_event: 10 },
});

describe('references to segments', () => {
  it('are found in conditions, with their places', () => {
    expect(segmentReferences({ condition: { not: on('a', 'b').condition }, zone: 'UTC' })).toEqual([
      { segmentId: 'a', path: 'condition.not.all[0].in_segment' },
      { segmentId: 'b', path: 'condition.not.all[1].in_segment' },
    ]);
  });

  it('may form a graph without cycles', () => {
    const segments = known({ b: [on('d')], c: [on('d')], d: [on()] });
    expect(() => requireSegments({ definitionId: 'a', body: on('b', 'c') }, segments)).not.toThrow();
  });

  it('may form chains of 8 segments', () => {
    const segments = known(chainOf('b', 'c', 'd', 'e', 'f', 'g', 'h'));
    expect(() => requireSegments({ definitionId: 'a', body: on('b') }, segments)).not.toThrow();
    expect(() => requireSegments({ definitionId: 'task', body: eligible('b') }, segments)).not.toThrow();
  });

  it('may not form longer chains, which are named', () => {
    const nine = 'chain of 9 segments, each of which refers to the next one, and at most 8 are allowed: a, b, c';
    const below = known(chainOf('b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'));
    expect(() => requireSegments({ definitionId: 'a', body: on('b') }, below)).toThrow(
      `condition.all[0].in_segment: makes a ${nine}`,
    );
    const joined = known({ ...chainOf('a', 'b', 'c', 'd'), ...chainOf('e', 'f', 'g', 'h', 'i') });
    expect(() => requireSegments({ definitionId: 'd', body: on('e') }, joined)).toThrow(nine);
    const tooLong = known(chainOf('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'));
    expect(() => requireSegments({ definitionId: 'task', body: eligible('a') }, tooLong)).toThrow(
      `eligible: makes a ${nine}`,
    );
  });

  it('are followed once, however many lead to a segment', () => {
    const levels = ['b', 'c', 'd', 'e', 'f'].map((name) => Array.from({ length: 40 }, (_, i) => `${name}${i}`));
    const segments = Object.fromEntries(
      levels.flatMap((ids, level) => ids.map((id) => [id, [on(...(levels[level + 1] ?? []))]])),
    );
    expect(() => requireSegments({ definitionId: 'a', body: on(...levels[0]) }, known(segments))).not.toThrow();
  });

  it.each<[string, SegmentBody, Map<string, KnownSegment>, string]>([
    ['an unknown one', on('b'), known({}), 'condition.all[0].in_segment: names no segment'],
    [
      'an ended one',
      on('b'),
      known({ b: [on()] }, ['b']),
      'condition.all[0].in_segment: names a segment that has ended',
    ],
    ['itself', on('a'), known({ a: [on()] }), 'depends on this one'],
    ['itself, unpublished', on('a'), known({}), 'depends on this one'],
    ['one that depends on it', on('b'), known({ b: [on('c')], c: [on('a')] }), 'depends on this one'],
    ['one that depended on it', on('b'), known({ b: [on('a'), on()] }), 'depends on this one'],
  ])('are refused to %s', (_label, body, segments, message) => {
    expect(() => requireSegments({ definitionId: 'a', body }, segments)).toThrow(message);
  });
});
