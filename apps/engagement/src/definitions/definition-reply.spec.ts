import fc from 'fast-check';
import { acmeCatalogue } from '../../test/acme-catalogue';
import { compareOps } from './check-filter';
import { checkSegment } from './check-segment';
import { Definition } from './definition.entity';
import { segmentReply } from './definition-reply';
import { isSameGeneration } from './generation';

const filter = { event: 'deposit' };
const lifetime = { window: { lifetime: true } };

const digits = (max: number, length: number) => fc.nat(max).map((n) => String(n).padStart(length, '0'));
const time = fc
  .tuple(
    fc.oneof(fc.constantFrom('0000', '1960', '1970', '9999'), digits(9999, 4)),
    fc.constantFrom('01-01', '12-31'),
    fc.tuple(digits(23, 2), digits(59, 2), digits(59, 2)),
    fc.constantFrom('', '.5', '.999999999'),
    fc.constantFrom('Z', '+02:00', '-23:59', '+23:59'),
  )
  .map(([year, day, clock, fraction, offset]) => `${year}-${day}T${clock.join(':')}${fraction}${offset}`);
const timestamp = fc.oneof(time, fc.nat(999_999_999_999), fc.nat(999_999_999_999).map(String));
const decimal = fc.oneof(
  fc.integer({ min: -1_000_000, max: 1_000_000 }).map((n) => n / 100),
  fc.constantFrom('.5', '+5.', '-0', '1e3', '999999999999999999.999999999'),
);
const op = fc.constantFrom(...compareOps);
const whole = (max: number) => fc.oneof(fc.nat(max), fc.nat(max).map(String));
const window = fc.constantFrom(
  ...[{ lifetime: true }, { since: 'link' }, { calendar: 'week' }, { rolling: 'P2W' }, { rolling: 'PT36H' }],
  { between: ['1960-01-01T00:00:00Z', '2026-12-01T00:00:00.5+02:00'] },
);
const comparison = (head: string, attribute: string, value: fc.Arbitrary<unknown>) =>
  fc.record({ [head]: fc.constant(filter), attribute: fc.constant(attribute), window, op, value });

/** Conditions of every form, as operators write them. */
const conditions = fc.oneof(
  ...['min', 'max'].map((head) => comparison(head, 'valued_at', timestamp)),
  ...['min', 'max', 'sum'].map((head) => comparison(head, 'amount', decimal)),
  comparison('distinct', 'method', whole(1_000)),
  fc.record({ count: fc.constant(filter), window, op, value: whole(999_999_999) }),
  fc.record({ streak: fc.constant(filter), every: fc.constantFrom('day', 'month'), op, value: whole(366) }),
  timestamp.map((value) => ({ latest: 'deposit', where: [{ attribute: 'valued_at', op: 'in', value: [value] }] })),
  fc.constant({ sequence: [filter, { event: 'constructor' }], within: 'PT36H' }),
  fc.constant({ absent: filter, window: { rolling: 'P2W' } }),
  fc.constant({ in_segment: 'A0000000-0000-4000-8000-00000000000B' }),
);

/** The stored version that operators are shown. */
function versionOf({ body, specs: attributeTypes }: ReturnType<typeof checkSegment>): Definition {
  const [createdAt, state] = [new Date(0), 'draft'] as const;
  return { body, attributeTypes, createdAt, state, inForceFrom: 0, publishedAt: null, endedAt: null } as Definition;
}

describe('a definition as it is shown', () => {
  it('passes the check, and is the same generation', () => {
    const written = fc.oneof(
      conditions,
      fc.array(conditions, { minLength: 1, maxLength: 4 }).map((all) => ({ all })),
    );
    fc.assert(
      fc.property(written, (condition) => {
        const checked = checkSegment({ condition }, acmeCatalogue());
        const { condition: shown, zone } = segmentReply([versionOf(checked)]);
        const again = checkSegment({ condition: shown, zone }, acmeCatalogue());
        expect(isSameGeneration(again.body, checked.body)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it.each<[Definition['state'][], number]>([
    [['replaced', 'published', 'draft'], 2],
    [['replaced', 'paused', 'draft'], 2],
    [['replaced', 'ended', 'draft'], 2],
    [['draft', 'draft'], 2],
  ])('of the versions %j is version %i', (states, shown) => {
    const checked = checkSegment({ condition: { count: filter, ...lifetime, op: 'gte', value: 1 } }, acmeCatalogue());
    const versions = states.map((state, at) => ({ ...versionOf(checked), state, version: at + 1 }));
    expect(segmentReply(versions).version).toBe(shown);
  });

  it.each([
    ['1960-01-01T00:00:00Z', '1960-01-01T00:00:00Z'],
    ['2026-01-01T02:00:00.5+02:00', '2026-01-01T00:00:00.5Z'],
    ['2026-01-01T00:00:00Z', '1767225600'],
  ])('has the least time %s as %s, whatever it is stored as', (value, text) => {
    const condition = { min: filter, attribute: 'valued_at', ...lifetime, op: 'gte', value };
    const checked = checkSegment({ condition }, acmeCatalogue());
    expect(segmentReply([versionOf(checked)]).condition).toMatchObject({ min: { event: 'deposit' }, value: text });
  });
});
