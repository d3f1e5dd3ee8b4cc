import { randomInt } from 'node:crypto';
import { Socket } from 'node:net';
import { until } from '../../tools/seed/api';
import { DemoStack } from '../support/demo-stack';
import { openSocket } from '../inputs/raw-client';
import { runInputs } from '../inputs/input-run';

const burst = 1_500;

/** Tests of hostile and malformed inputs on a demo stack. */
export function describeInputs(demoOf: () => DemoStack): void {
  describe('inputs of all kinds', () => {
    it('lose no connection of a burst while a service is busy', async () => {
      const { pid, url } = demoOf().stack.services.first('gateway');
      const { hostname: host, port } = new URL(url);
      const sockets: Socket[] = [];
      let connected = 0;
      process.kill(pid as number, 'SIGSTOP');
      try {
        for (let at = 0; at < burst; at++)
          sockets.push(openSocket({ host, port: Number(port) }).once('connect', () => connected++));
        // The kernel completes the connections; a dropped one cannot connect while the process accepts none.
        await until('the whole burst being connected', 10_000, () => Promise.resolve(connected === burst || undefined));
      } finally {
        process.kill(pid as number, 'SIGCONT');
        for (const socket of sockets) socket.destroy();
      }
    });

    it('get responses in the format of their API, crash no service and do not affect other clients (V7, V8, V9)', async () => {
      const seed = Number(process.env.INPUTS_SEED ?? randomInt(2 ** 31));
      const report = await runInputs(demoOf().stack, {
        seed,
        requests: 6_000,
        rounds: 1,
        partners: 8,
        held: { each: 4, forMs: 12_000 },
        say: () => undefined,
      });
      process.stdout.write(`\n${report.summary}\n`);
      expect(report.findings).toEqual([]);
    });
  });
}
