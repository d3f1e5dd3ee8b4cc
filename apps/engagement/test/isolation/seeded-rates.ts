import { StatedRate } from '../../src/rates/rates.store';
import { OperatorCaller } from '@podium/testing/operator-routes';
import { OperatorsApi } from '../operators-api';

const rate = { from: 'EUR', to: 'USD', rate: '1.25' } as const;

/** A rate that every organizer has approved. */
export const approvedRate: StatedRate = { ...rate, day: '2020-01-01' };

/** A rate that waits for approval, of every organizer at the same place. */
export const waitingRate: StatedRate = { ...rate, day: '2020-01-02' };

/** A rate that nobody has given. */
export const furtherRate: StatedRate = { ...rate, day: '2020-01-03' };

/** Gives an organizer a rate that is approved and one that waits. */
export async function seedRates(
  api: OperatorsApi,
  organizerId: string,
  { author, publisher }: { readonly author: OperatorCaller; readonly publisher: OperatorCaller },
): Promise<void> {
  const sent = async (caller: OperatorCaller, path: string, rates: readonly StatedRate[]): Promise<void> => {
    const { status, text } = await api.call(caller, 'POST', path, { organizer_id: organizerId, rates });
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
  };
  await sent(author, '/admin/v1/rates', [approvedRate, waitingRate]);
  await sent(publisher, '/admin/v1/rates/approve', [approvedRate]);
}
