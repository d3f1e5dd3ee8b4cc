import { ContractAttribute, ContractVersion } from '@podium/messages';
import { withCurrencyVersions } from './currency-versions';

function versionOf(version: number, attribute: Partial<ContractAttribute>): ContractVersion {
  const paid: ContractAttribute = { name: 'paid', type: 'decimal', currency_attribute: 'currency', ...attribute };
  const plain: ContractAttribute = { name: 'level', type: 'integer' };
  return {
    version,
    in_force_from: version,
    events: [{ name: 'deposit', kind: 'repeatable', attributes: [paid, plain] }],
  };
}

function stated(versions: readonly ContractVersion[]): unknown[] {
  return withCurrencyVersions(versions).map(({ events }) => events[0].attributes[0].currency_versions);
}

describe('withCurrencyVersions', () => {
  it('states of each currency the version that listed it first', () => {
    const versions = [['EUR'], ['EUR', 'USD'], ['EUR', 'USD', 'GBP']].map((currencies, index) =>
      versionOf(index + 3, { currencies }),
    );
    expect(stated(versions)).toEqual([{ EUR: 3 }, { EUR: 3, USD: 4 }, { EUR: 3, USD: 4, GBP: 5 }]);
  });

  it('keeps what restored versions state, and leaves other attributes alone', () => {
    const restored = versionOf(7, { currencies: ['EUR', 'USD'], currency_versions: { EUR: 1, USD: 7 } });
    const added = versionOf(8, { currencies: ['EUR', 'USD', 'GBP'] });
    expect(stated([restored, added])).toEqual([
      { EUR: 1, USD: 7 },
      { EUR: 1, USD: 7, GBP: 8 },
    ]);
    expect(withCurrencyVersions([added])[0].events[0].attributes[1]).toEqual({ name: 'level', type: 'integer' });
  });
});
