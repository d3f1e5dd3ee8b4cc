import { runPodium } from './podium';

describe('help of the commands on Kafka and Postgres', () => {
  it.each([
    ['status'],
    ['partners'],
    ['keys rotate'],
    ['vault'],
    ['dlq list'],
    ['dlq show'],
    ['dlq redrive'],
    ['lag'],
    ['replay engagement'],
    ['replay list'],
    ['verify engagement'],
    ['restore run'],
    ['restore ledger'],
    ['restore revisions'],
    ['restore linkage'],
    ['restore erasures'],
    ['restore engagement'],
    ['failover status'],
    ['failover repair'],
    ['republish links'],
    ['republish integrations'],
    ['republish keys'],
    ['republish erasures'],
    ['erase user'],
    ['erase status'],
  ])('%s has an example that names it', async (command) => {
    let out = '';
    const code = await runPodium([...command.split(' '), '--help'], {
      env: {},
      readStdin: async () => '',
      out: (text) => (out += text),
      err: (text) => (out += text),
    });
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`Examples?:\\n {2}\\$ npm run podium -- ${command}`));
  });
});
