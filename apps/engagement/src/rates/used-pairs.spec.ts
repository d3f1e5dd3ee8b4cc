import { Condition } from '../evaluation/condition';
import { EngineDefinition } from '../evaluation/definition';
import { definitionsUsing } from './used-pairs';

const usdToEur = { organizerId: 'organizer-1', from: 'USD', to: 'EUR' };

describe('the definitions that use a pair', () => {
  it('are those of its organizer that convert the currency', () => {
    const converting = segmentOf('organizer-1', deposits('EUR'));
    const others = [segmentOf('organizer-2', deposits('EUR')), segmentOf('organizer-1', deposits('USD'))];
    expect(definitionsUsing([...others, converting], [usdToEur])).toEqual([converting]);
  });

  it('are found beside definitions that do not compile, of which those of its organizer may use it', () => {
    const broken = (organizerId: string) => ({ ...segmentOf(organizerId, deposits('EUR')), specs: {} });
    const converting = segmentOf('organizer-1', deposits('EUR'));
    const own = broken('organizer-1');
    expect(definitionsUsing([broken('organizer-2'), converting, own], [usdToEur])).toEqual([converting, own]);
  });
});

function deposits(convertTo: string): Condition {
  return {
    ...{ sum: { event: 'deposit', where: [] }, attribute: 'paid', convert_to: convertTo },
    ...{ window: { lifetime: true }, op: 'gte', value: '1' },
  };
}

function segmentOf(organizerId: string, condition: Condition): EngineDefinition {
  return {
    ...{ kind: 'segment', definitionId: 'd', platform: 'acme', organizerId, paused: false, endedAt: null },
    specs: { deposit: { paid: { type: 'decimal', currencyAttribute: 'currency', currencies: { EUR: 1, USD: 1 } } } },
    versions: [{ version: 1, generation: 1, inForceFrom: 0, body: { condition, zone: 'UTC' } }],
  };
}
