import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describedSet } from '../../test/described-set';
import { segmentOf, taskOf } from '../../test/given-definitions';
import { measuredDefinitions } from '../../test/measured-definitions';
import { propertyOptions } from '../../test/property-options';
import { Condition } from '../evaluation/condition';
import { EngineDefinition } from '../evaluation/definition';
import { Rates, ratesOf } from '../evaluation/rates';
import { DefinitionSet, definitionSet } from './definition-set';

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '9')}`;
const names = ['deposit', 'bet', 'kyc'] as const;
const money = { type: 'decimal', currencyAttribute: 'currency', currencies: { EUR: 1, USD: 1 } } as const;
const specs = Object.fromEntries(
  names.map((name) => [name, { amount: money, currency: { type: 'currency' } as const }]),
);

const count = (name: string, value: number): Condition => ({
  ...{ count: { event: name, where: [] }, window: { rolling: 'P7D' }, op: 'gte', value: String(value) },
});
const inEuros = (name: string): Condition => ({
  ...{ sum: { event: name, where: [] }, attribute: 'amount', convert_to: 'EUR', window: { lifetime: true } },
  ...{ op: 'gte', value: '10' },
});

/** A definition of a number: what it names, compares and refers to. */
interface Given {
  readonly at: number;
  readonly kind: 'segment' | 'task';
  readonly name: (typeof names)[number];
  readonly value: number;
  /** Numbers of segments, which are lower than its own. */
  readonly refersTo: readonly number[];
  readonly isConverting: boolean;
  readonly platform: 'acme' | 'other';
  readonly paused: boolean;
  readonly endedAt: number | null;
}

function made({ at, kind, name, value, refersTo, isConverting, ...rest }: Given): EngineDefinition {
  const own = [count(name, value), ...(isConverting ? [inEuros(name)] : [])];
  const all = [...own, ...refersTo.map((other): Condition => ({ in_segment: id(other) }))];
  const condition: Condition = all.length === 1 ? all[0] : { all };
  const { platform, paused, endedAt } = rest;
  const more = { specs, platform, organizerId: `of-${platform}`, paused, endedAt };
  if (kind === 'segment') return { ...segmentOf(id(at), condition), ...more };
  return { ...taskOf(id(at), { goal: condition, repeat: { once: true }, eligible: id(refersTo[0] ?? 0) }), ...more };
}

const rate = (units: number): Rates => ratesOf([{ from: 'USD', to: 'EUR', dayS: 0, rate: BigInt(units) }]);
const noneOut = new Set<string>();

function next(
  all: readonly EngineDefinition[],
  before?: DefinitionSet,
  rates = new Map<string, Rates>(),
): DefinitionSet {
  return definitionSet(all, false, rates, noneOut, before);
}

/** Ids of definitions that two sets share. */
function shared(before: DefinitionSet, now: DefinitionSet): string[] {
  return [...now.byId].filter(([each, definition]) => before.byId.get(each) === definition).map(([each]) => each);
}

describe('a set after a change of one definition', () => {
  const plain = { kind: 'segment', name: 'deposit', value: 1, refersTo: [], isConverting: false } as const;
  const common = { ...plain, platform: 'acme', paused: false, endedAt: null } as const;
  const kyc = made({ ...common, at: 1, name: 'kyc' });
  const active = made({ ...common, at: 2, refersTo: [1] });
  const award = made({ ...common, at: 3, kind: 'task', refersTo: [2] });
  const euros = made({ ...common, at: 4, name: 'bet', isConverting: true });
  const elsewhere = made({ ...common, at: 5, platform: 'other' });
  const few = [kyc, active, award, euros, elsewhere];
  const ids = (...of: readonly EngineDefinition[]): string[] => of.map(({ definitionId }) => definitionId);

  it('has all others as they were', () => {
    const many = measuredDefinitions(200, 'other names');
    const before = next(many);
    const changed = many.map((each, at) => (at === 77 ? { ...each, endedAt: 5 } : { ...each }));
    const now = next(changed, before);
    expect(shared(before, now)).toEqual(
      ids(...[...before.byId.values()].map(({ definition }) => definition)).filter(
        (each) => each !== many[77].definitionId,
      ),
    );
    const [name] = before.byId.get(many[77].definitionId)!.names;
    const isSame = (of: string): boolean[] => [
      before.forEvent('acme', of) === now.forEvent('acme', of),
      before.keptState('acme', of) === now.keptState('acme', of),
    ];
    expect([isSame('deposit'), isSame(name)]).toEqual([
      [true, true],
      [false, false],
    ]);
    expect(describedSet(now)).toEqual(describedSet(next(changed)));
  });

  it('compiles what depends on it again, unless only its pause has changed', () => {
    const before = next(few);
    const edited = next([made({ ...common, at: 1, name: 'kyc', value: 2 }), ...few.slice(1)], before);
    expect(shared(before, edited)).toEqual(ids(euros, elsewhere));
    const paused = next([{ ...kyc, paused: true }, ...few.slice(1)], before);
    expect(shared(before, paused)).toEqual(ids(active, euros, elsewhere, award));
    expect(paused.byId.get(kyc.definitionId)).toMatchObject({ paused: true, definition: { paused: true } });
    const gone = next(few.slice(1), paused);
    expect(shared(paused, gone)).toEqual(ids(euros, elsewhere));
    expect(shared(gone, next(few, gone))).toEqual(ids(euros, elsewhere));
  });

  it('compiles what converts amounts again when rates of its organizer are approved', () => {
    const before = next(few, undefined, new Map([['of-acme', rate(1)]]));
    const now = next(few, before, new Map([['of-acme', rate(2)]]));
    expect(shared(before, now)).toEqual(ids(kyc, active, elsewhere, award));
    expect(now.byId.get(euros.definitionId)?.rates.before('USD', 'EUR', 86_400)).toBe(2n);
  });

  it('keeps nothing of sets that were replaced', async () => {
    // These stay, and would keep the segments of the first set if they knew all of them.
    const staying = [elsewhere, made({ ...common, at: 6, kind: 'task', name: 'bet' })];
    const all = (value: number) => [made({ ...common, at: 1, name: 'kyc', value }), active, award, ...staying];
    let set = next(all(1));
    const replaced: WeakRef<object>[] = [];
    for (let value = 2; value < 6; value++) {
      replaced.push(new WeakRef(set), new WeakRef(set.byId.get(kyc.definitionId)!.definition));
      set = next(all(value), set);
    }
    setFlagsFromString('--expose-gc');
    const left = () => replaced.filter((each) => each.deref() !== undefined);
    // What such a reference was made of, or gives, is kept until the end of the turn.
    for (let turns = 0; turns < 10 && left().length > 0; turns++) {
      await new Promise((resolve) => setImmediate(resolve));
      (runInNewContext('gc') as () => void)();
    }
    expect(left()).toHaveLength(0);
    expect(set.byId.size).toBe(5);
  });
});

describe('a set that takes over what has not changed', () => {
  const given = (at: number): fc.Arbitrary<Given> =>
    fc.record({
      at: fc.constant(at),
      kind: fc.constantFrom('segment' as const, 'segment' as const, 'task' as const),
      name: fc.constantFrom(...names),
      value: fc.integer({ min: 1, max: 3 }),
      // Of what does not exist, too.
      refersTo: at === 0 ? fc.constant([]) : fc.uniqueArray(fc.nat(at - 1), { maxLength: 2 }),
      isConverting: fc.boolean(),
      platform: fc.constantFrom('acme' as const, 'other' as const),
      paused: fc.boolean(),
      endedAt: fc.constantFrom(null, null, 1_000),
    });
  /** The number of a definition, what it becomes (nothing: it is removed), and rates and platforms left out from then on. */
  const step = fc.nat(9).chain((at) =>
    fc.record({
      at: fc.constant(at),
      what: fc.constantFrom('set' as const, 'set' as const, 'pause' as const, 'remove' as const, 'nothing' as const),
      to: given(at),
      rates: fc.constantFrom(null, 1, 2),
      partial: fc.constantFrom([], [], ['acme']),
      isRebuilding: fc.boolean(),
    }),
  );

  it('is the same as one of the same definitions alone, after any changes', () => {
    const totals = { taken: 0, changed: 0 };
    fc.assert(
      fc.property(
        fc.tuple(...Array.from({ length: 10 }, (_, at) => given(at))),
        fc.array(step, { maxLength: 12 }),
        (first, steps) => {
          const current = new Map(first.map((each): [number, EngineDefinition] => [each.at, made(each)]));
          let rates = new Map<string, Rates>();
          let before = definitionSet([...current.values()]);
          for (const { at, what, to, rates: units, partial, isRebuilding } of steps) {
            const known = current.get(at);
            if (what === 'set') current.set(at, made(to));
            if (what === 'pause' && known) current.set(at, { ...known, paused: !known.paused });
            if (what === 'remove') current.delete(at);
            if (units !== null) rates = new Map([['of-acme', rate(units)]]);
            const all = [...current.values()];
            const now = definitionSet(all, isRebuilding, rates, new Set(partial), before);
            expect(describedSet(now)).toEqual(describedSet(definitionSet(all, isRebuilding, rates, new Set(partial))));
            const taken = shared(before, now).length;
            totals.taken += taken;
            totals.changed += now.byId.size - taken;
            before = now;
          }
        },
      ),
      propertyOptions(100),
    );
    expect(totals.taken).toBeGreaterThan(500);
    expect(totals.changed).toBeGreaterThan(300);
  });
});
