import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { SkewedClocks } from './skewed-clocks';

const run = promisify(execFile);
const hourMs = 3_600_000;

describe('a skewed clock', () => {
  let clocks: SkewedClocks;

  beforeEach(async () => {
    clocks = await SkewedClocks.open();
  });

  afterEach(() => clocks.close());

  it('jumps and returns in a running process; timers and performance.now are unaffected', async () => {
    const program = `
      const startMs = performance.now();
      setInterval(() => process.stdout.write([Date.now(), new Date().getTime(), Date.parse(Date()), performance.now() - startMs].join() + ';'), 50)`;
    const child = spawn(process.execPath, ['-e', program], { env: environment('one') });
    const last = (): number[] => text.split(';').at(-2)?.split(',').map(Number) ?? [];
    let text = '';
    child.stdout.on('data', (piece) => (text += String(piece)));
    try {
      await once(child.stdout, 'data');
      for (const skewMs of [hourMs, -hourMs, 0]) {
        await clocks.skew('one', skewMs);
        text = '';
        while (!last().length) await once(child.stdout, 'data');
        const times = last();
        const right = Date.now() + skewMs;
        for (const atMs of times.slice(0, 3)) expect(Math.abs(atMs - right)).toBeLessThan(60_000);
        expect(times[3]).toBeLessThan(60_000);
      }
      expect(clocks.skews.map(({ instance, untilMs }) => [instance, untilMs < Infinity])).toEqual([
        ['one', true],
        ['one', true],
      ]);
    } finally {
      child.kill();
    }
  });

  it('does not affect explicit dates, instanceof, or other processes', async () => {
    const program = `process.stdout.write(JSON.stringify([
      new Date(0) instanceof Date, new Date(0).constructor === Date, new Date(2020, 0, 2).getDate(), Date.UTC(1970, 0, 1),
      Math.abs(performance.timeOrigin - Date.now()) < 60000]))`;
    const { stdout } = await run(process.execPath, ['-e', program], { env: environment('other') });
    expect(JSON.parse(stdout)).toEqual([true, true, 2, 0, true]);
  });

  function environment(instance: string): NodeJS.ProcessEnv {
    return { ...process.env, ...clocks.environment, SERVICE_INSTANCE: instance };
  }
});
