import { acmeCatalogue, problemOf } from '../../test/acme-catalogue';
import { Condition } from '../evaluation/condition';
import { storedAttributeTypes } from './attribute-specs';
import { checkSegment } from './check-segment';
import { Definition } from './definition.entity';
import { requireEvaluable } from './require-evaluable';

const valuedAt = (value: string): Condition => ({
  latest: 'deposit',
  where: [{ attribute: 'valued_at', op: 'lt', value }],
});

function segment(condition: Condition): Definition {
  const { specs } = checkSegment({ condition: valuedAt('1790000000') }, acmeCatalogue());
  return Object.assign(new Definition(), {
    ...{ definitionId: 'd', version: 1, kind: 'segment', platform: 'acme', organizerId: 'organizer-1', state: 'draft' },
    ...{ generation: null, countsFrom: null, publishedAt: null, inForceFrom: null, maxPerDay: null },
    ...{ body: { condition, zone: 'UTC' }, attributeTypes: storedAttributeTypes(specs) },
  });
}

describe('versions that the engine evaluates', () => {
  it('are those that it can compile, whatever segments they name', () => {
    const other = { in_segment: '00000000-0000-4000-8000-000000000001' };
    for (const condition of [valuedAt('1790000000'), { all: [valuedAt('0'), other] }])
      expect(problemOf(() => requireEvaluable(segment(condition)))).toBeNull();
  });

  it.each([
    ['a constant that is not of its type', valuedAt('+010000-01-01T04:59.9999999Z')],
    [
      'an attribute whose type is not known',
      { latest: 'deposit', where: [{ attribute: 'level', op: 'eq', value: '1' }] },
    ],
  ] as const)('are not those with %s', (_label, condition) => {
    expect(problemOf(() => requireEvaluable(segment(condition)))).toEqual({
      code: 'unprocessable',
      message: expect.stringContaining('This segment cannot be evaluated: a published condition') as string,
    });
  });
});
