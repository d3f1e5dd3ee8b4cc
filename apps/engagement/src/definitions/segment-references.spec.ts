import { SegmentBody } from '../evaluation/definition';
import { KnownSegment, requireSegments, segmentReferences } from './segment-references';

const on = (...ids: string[]): SegmentBody => ({
  condition: { all: ids.map((id) => ({ in_segment: id })) },
  zone: 'UTC',
});
const known = (segments: Record<string, SegmentBody[]>, ended: string[] = []): Map<string, KnownSegment> =>
  new Map(Object.entries(segments).map(([id, bodies]) => [id, { isEnded: ended.includes(id), bodies }]));

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
