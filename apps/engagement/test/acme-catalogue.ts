import { CodedError, ErrorCode, IntegrationData } from '@podium/messages';
import { Catalogue, PlatformCatalogue } from '../src/definitions/catalogue';

/** An integration with attributes of all types, money among them. */
export const acmeIntegration: IntegrationData = {
  integration_id: 'i',
  platform: 'acme',
  partner: 'Acme',
  organizer_id: 'organizer-1',
  status: 'active',
  contracts: [
    { version: 1, in_force_from: 0, events: [{ name: 'deposit', kind: 'repeatable', attributes: [paidIn(['EUR'])] }] },
    {
      version: 2,
      in_force_from: 0,
      events: [
        {
          name: 'deposit',
          kind: 'repeatable',
          attributes: [
            { name: 'amount', type: 'decimal', non_negative: true },
            paidIn(['EUR', 'USD']),
            { name: 'level', type: 'integer' },
            { name: 'currency', type: 'currency' },
            { name: 'method', type: 'string' },
            { name: 'first', type: 'boolean' },
            { name: 'valued_at', type: 'timestamp' },
            { name: '__proto__', type: 'decimal' },
            { name: 'old', type: 'decimal', retired: true },
          ],
        },
        { name: 'gone', kind: 'one_off', retired: true, attributes: [] },
        { name: 'constructor', kind: 'one_off', attributes: [] },
      ],
    },
  ],
};

/** Its catalogue. */
export function acmeCatalogue(): PlatformCatalogue {
  const catalogue = new Catalogue();
  catalogue.apply('acme', { data: acmeIntegration } as never);
  return catalogue.of('acme');
}

/** Code and message of the error that a check throws; null when it passes. */
export function problemOf(check: () => unknown): { code: ErrorCode; message: string } | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof CodedError) return { code: error.code, message: error.message };
    throw error;
  }
}

function paidIn(currencies: string[]) {
  return { name: 'paid', type: 'decimal', currency_attribute: 'currency', currencies } as const;
}
