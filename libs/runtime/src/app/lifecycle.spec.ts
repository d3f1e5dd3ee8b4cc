import { pino } from 'pino';
import { Lifecycle } from './lifecycle';

describe('Lifecycle', () => {
  it('starts in order of registration and stops by phase, newest first within a phase, even when a part fails', async () => {
    const seen: string[] = [];
    const lifecycle = new Lifecycle();
    for (const [phase, name] of [
      ['close', 'pool'],
      ['flush', 'producer'],
      ['flush', 'relay'],
      ['work', 'consumer'],
      ['intake', 'http'],
    ] as const) {
      lifecycle.onStart(name, async () => void seen.push(`start ${name}`));
      lifecycle.onStop(phase, name, async () => {
        seen.push(name);
        if (name === 'relay') throw new Error('broken');
      });
    }
    await lifecycle.start();
    expect(seen.splice(0)).toEqual(['start pool', 'start producer', 'start relay', 'start consumer', 'start http']);
    expect(await lifecycle.stop(pino({ level: 'silent' }))).toBe(false);
    expect(seen).toEqual(['http', 'consumer', 'relay', 'producer', 'pool']);
  });
});
