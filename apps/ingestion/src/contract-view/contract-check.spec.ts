import { ContractVersion } from '@podium/messages';
import { checkAgainstContract, compileContract } from './contract-check';
import { PartnerEvent } from '../event/partner-event';

const version: ContractVersion = {
  version: 3,
  in_force_from: 0,
  events: [
    {
      name: 'deposit',
      kind: 'repeatable',
      attributes: [
        { name: 'amount', type: 'decimal' },
        { name: 'currency', type: 'currency' },
        { name: 'old', type: 'string', retired: true },
      ],
    },
    { name: 'gone', kind: 'one_off', attributes: [], retired: true },
  ],
};
const contract = compileContract(version);

function event(name: string, ...attributes: [string, string][]): PartnerEvent {
  return {
    platform: 'acme',
    platformUserId: 'p-1',
    id: 'e-1',
    name,
    createdAt: 0,
    attributes: attributes.map(([attribute, value]) => ({ name: attribute, value })),
  };
}

describe('checkAgainstContract', () => {
  it.each([['Deposit'], ['deposit '], ['gone'], ['__proto__'], ['constructor']])('refuses the name %j', (name) => {
    expect(checkAgainstContract(event(name), contract)).toMatchObject({ outcome: { code: 'event_not_negotiated' } });
  });

  it('refuses every name while no contract is in force', () => {
    expect(checkAgainstContract(event('deposit'), undefined)).toMatchObject({
      outcome: { code: 'event_not_negotiated' },
    });
  });

  it('drops attributes that are not negotiated or retired, however long or often', () => {
    const sent = event(
      'deposit',
      ['Amount', 'x'.repeat(5000)],
      ['amount', '1'],
      ['old', '1'],
      ['Amount', '2'],
      ['__proto__', ''],
    );
    expect(checkAgainstContract(sent, contract)).toEqual({
      ok: true,
      kind: 'repeatable',
      version: 3,
      kept: [{ name: 'amount', value: '1' }],
      dropped: ['Amount', 'old', '__proto__'],
      values: { typed: ['amount'], notParsed: [] },
    });
  });

  it('refuses a negotiated attribute that is given twice', () => {
    expect(checkAgainstContract(event('deposit', ['x', ''], ['amount', '1'], ['amount', '1']), contract)).toMatchObject(
      {
        outcome: { code: 'invalid_request', problem: { field: 'event.attributes[2].name' } },
      },
    );
  });

  it.each([
    ['x'.repeat(4096), true],
    ['x'.repeat(4097), false],
    ['é'.repeat(2048), true],
    ['é'.repeat(2048) + 'x', false],
  ])('counts the bytes of a value', (value, ok) => {
    expect(checkAgainstContract(event('deposit', ['currency', value]), contract).ok).toBe(ok);
  });
});
