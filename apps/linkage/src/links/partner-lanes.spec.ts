import { setTimeout as sleep } from 'node:timers/promises';
import { PartnerLanes } from './partner-lanes';

describe('PartnerLanes', () => {
  const never = new AbortController().signal;
  const errors: unknown[] = [];
  const lanes = new PartnerLanes(2, (error) => errors.push(error));

  it('runs at most two jobs of a partner at once, and all of them', async () => {
    let [atOnce, most, done] = [0, 0, 0];
    const job = async (): Promise<void> => {
      most = Math.max(most, ++atOnce);
      await sleep(5);
      atOnce--;
      done++;
    };
    lanes.start('a', Array<typeof job>(7).fill(job), never);
    expect(lanes.busy).toEqual(['a']);
    await lanes.idle();
    expect([most, done, lanes.busy]).toEqual([2, 7, []]);
  });

  it('does not let a partner that hangs delay another', async () => {
    let release = (): void => undefined;
    const hanging = new Promise<void>((resolve) => (release = resolve));
    let others = 0;
    lanes.start('slow', [() => hanging], never);
    for (let round = 0; round < 3; round++) {
      lanes.start('fast', [async () => void others++], never);
      while (lanes.busy.includes('fast')) await sleep(1);
    }
    expect([others, lanes.busy]).toEqual([3, ['slow']]);
    expect(() => lanes.start('slow', [], never)).toThrow('busy');
    release();
    await lanes.idle();
  });

  it('continues after a job that fails, and ends early at an abort', async () => {
    const abort = new AbortController();
    const ran: number[] = [];
    const failing = async (): Promise<void> => {
      throw new Error('job');
    };
    const last = async (): Promise<void> => void ran.push(2);
    const aborting = async (): Promise<void> => {
      ran.push(1);
      abort.abort();
    };
    const one = new PartnerLanes(1, (error) => errors.push(error));
    one.start('a', [failing, aborting, last], abort.signal);
    await one.idle();
    expect(ran).toEqual([1]);
    expect(errors.map(String)).toEqual(['Error: job']);
  });

  it('goes on with further jobs until there are none, or an abort', async () => {
    const abort = new AbortController();
    let [ran, left] = [0, 3];
    const job = async (): Promise<void> => void ran++;
    const refill = async () => {
      expect(lanes.busy).toEqual(['a']);
      return left-- > 0 ? [job, job, job] : [];
    };
    lanes.start('a', [job], never, refill);
    await lanes.idle();
    expect([ran, lanes.busy]).toEqual([10, []]);
    left = 3;
    lanes.start('a', [async () => abort.abort()], abort.signal, refill);
    await lanes.idle();
    expect([ran, left]).toEqual([10, 3]);
  });

  it('ends a lane whose further jobs cannot be read', async () => {
    errors.length = 0;
    lanes.start('a', [async () => undefined], never, () => Promise.reject(new Error('away')));
    await lanes.idle();
    expect([errors.map(String), lanes.busy]).toEqual([['Error: away'], []]);
  });
});
