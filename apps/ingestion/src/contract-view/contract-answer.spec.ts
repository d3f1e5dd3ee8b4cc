import Ajv2020 from 'ajv/dist/2020';
import { ContractEvent, IntegrationData } from '@podium/messages';
import { contractAnswerOf } from './contract-answer';
import { Contracts, PlatformContract } from './contracts';

const deposit: ContractEvent = {
  name: 'deposit',
  kind: 'repeatable',
  attributes: [
    {
      ...{ name: 'amount', type: 'decimal', non_negative: true, currency_attribute: 'currency', currencies: ['EUR'] },
      currency_versions: { EUR: 1 },
    },
    { name: 'currency', type: 'currency' },
    { name: 'count', type: 'integer' },
    { name: 'first', type: 'boolean' },
    { name: 'at', type: 'timestamp' },
    { name: 'note', type: 'string' },
    { name: 'gone', type: 'string', retired: true },
  ],
};
const retired: ContractEvent = { name: 'old', kind: 'one_off', attributes: [], retired: true };
const kyc: ContractEvent = { name: 'kyc', kind: 'one_off', attributes: [] };

function platformOf(changes: Partial<IntegrationData> = {}): PlatformContract {
  const contracts = new Contracts();
  contracts.apply('acme', {
    ...{ integration_id: 'i', platform: 'acme', partner: 'secret-partner', organizer_id: 'secret-organizer' },
    status: 'active',
    contracts: [
      { version: 1, in_force_from: 1000, events: [deposit, retired] },
      { version: 2, in_force_from: 5000, events: [deposit, retired, kyc] },
    ],
    ...changes,
  });
  return contracts.of('acme')!;
}

interface Answer {
  in_force: { version: number; events: { name: string; schema: object; attributes: object[] }[] } | null;
  upcoming: { version: number }[];
  [field: string]: unknown;
}

function answer(platform: PlatformContract, nowMs: number): Answer {
  return JSON.parse(contractAnswerOf('acme', platform, nowMs).text) as Answer;
}

describe('the contract that a partner reads', () => {
  it('has what is in force and what will be, without what is retired or not the partner’s', () => {
    const { text } = contractAnswerOf('acme', platformOf(), 2000);
    expect(JSON.parse(text)).toMatchObject({
      ...{ platform: 'acme', rate_per_second: 40, burst: 40, max_batch: 40 },
      in_force: {
        version: 1,
        in_force_from: '1970-01-01T00:00:01.000Z',
        events: [{ name: 'deposit', kind: 'repeatable' }],
      },
      upcoming: [{ version: 2, in_force_from: '1970-01-01T00:00:05.000Z' }],
    });
    for (const hidden of ['secret', 'currency_versions', 'gone', '"old"']) expect(text).not.toContain(hidden);
  });

  it('follows time, the rate and the contract, and its ETag changes with them alone', () => {
    const platform = platformOf();
    const at = (nowMs: number): string => contractAnswerOf('acme', platform, nowMs).etag;
    expect(at(2000)).toBe(at(4999));
    expect(at(2000)).toBe(contractAnswerOf('acme', platformOf(), 2000).etag);
    expect(at(2000)).not.toBe(at(5000));
    expect(answer(platform, 5000)).toMatchObject({ in_force: { version: 2 }, upcoming: [] });
    expect(answer(platform, 999)).toMatchObject({ in_force: null, upcoming: [{ version: 1 }, { version: 2 }] });
    const faster = platformOf({ rate_per_second: 1000 });
    expect(answer(faster, 2000)).toMatchObject({ rate_per_second: 1000, burst: 1000, max_batch: 100 });
    expect(contractAnswerOf('acme', faster, 2000).etag).not.toBe(at(2000));
    expect(at(2000)).toMatch(/^"[\w-]{27}"$/);
  });

  describe('has a JSON Schema', () => {
    const validate = new Ajv2020({ strict: false }).compile(answer(platformOf(), 2000).in_force!.events[0].schema);
    const event = (...attributes: [string, string][]): object => ({
      ...{ id: 'e-1', name: 'deposit', created_at: 1 },
      attributes: attributes.map(([name, value]) => ({ name, value })),
    });

    it.each<[string, object]>([
      ['no attributes', { id: 'e-1', name: 'deposit', created_at: 1 }],
      ['every attribute once', event(['amount', '10.5'], ['currency', 'EUR'], ['note', ''])],
      ['an amount with an exponent', event(['amount', '1e2'])],
      ['an integer with a sign', event(['count', '-12'])],
      ['a boolean', event(['first', 'true'])],
      ['Unix seconds', event(['at', '1700000000'])],
      ['an RFC 3339 time', event(['at', '2026-01-31T12:00:00.5+01:00'])],
      ['the longest id and the longest text', { ...event(['note', 'x'.repeat(4096)]), id: ' '.repeat(254) + 'x' }],
    ])('that allows %s', (_name, given) => {
      expect([validate(given), validate.errors]).toEqual([true, null]);
    });

    it.each<[string, object]>([
      ['another name', { ...event(), name: 'Deposit' }],
      ['created_at as a text', { ...event(), created_at: '1' }],
      ['an id of white space only', { ...event(), id: ' \u3000\t' }],
      ['an id over 255 bytes', { ...event(), id: 'x'.repeat(256) }],
      ['a text over 4 KiB', event(['note', 'x'.repeat(4097)])],
      ['an amount over 4 KiB', event(['amount', '0'.repeat(4097)])],
      ['an attribute that is not negotiated', event(['campaign', 'x'])],
      ['a retired attribute', event(['gone', 'x'])],
      ['an attribute given twice', event(['count', '1'], ['count', '2'])],
      ['a negative amount', event(['amount', '-1'])],
      ['an amount with a comma', event(['amount', '1,5'])],
      ['an integer of 19 digits', event(['count', '1234567890123456789'])],
      ['a currency in small letters', event(['currency', 'eur'])],
      ['a boolean as a number', event(['first', '1'])],
      ['a time without an offset', event(['at', '2026-01-31T12:00:00'])],
    ])('that does not allow %s', (_name, given) => {
      expect(validate(given)).toBe(false);
    });
  });
});
