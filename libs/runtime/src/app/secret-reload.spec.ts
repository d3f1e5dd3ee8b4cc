import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { live, readConfig, text, tokens } from '../config';
import { SecretReload } from './secret-reload';

describe('SecretReload', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'reload-')), 'TOKEN');
  const fields = { TOKEN: live(tokens({ meaning: 'tokens' })), NAME: text({ meaning: 'a name' }) };

  /** The configuration after the first check of a file that has changed since the start. */
  async function afterChangeTo(content: string) {
    writeFileSync(file, 'canary-old');
    const config = readConfig(fields, { TOKEN_FILE: file, NAME: 'n' });
    writeFileSync(file, content);
    const logged: string[] = [];
    const registry = new Registry();
    const reload = new SecretReload(config, pino({}, { write: (line: string) => void logged.push(line) }), registry);
    reload.start();
    for (let waitedMs = 0; logged.length === 0 && waitedMs < 5_000; waitedMs += 10) await sleep(10);
    await reload.stop();
    return { config, log: logged.join(''), metrics: await registry.metrics() };
  }

  it('applies a changed secret and shows how many values are in force', async () => {
    const { config, log, metrics } = await afterChangeTo('canary-new,canary-old');
    expect(config.TOKEN.current).toEqual(['canary-new', 'canary-old']);
    expect(metrics).toContain('secret_values{secret="TOKEN"} 2');
    expect(metrics).toContain('secret_unreadable{secret="TOKEN"} 0');
    expect(metrics).not.toContain('secret="NAME"');
    expect(log).toContain('a secret was re-read');
    expect(log + metrics).not.toContain('canary');
  });

  it('keeps the value while the file is malformed, and logs it', async () => {
    const { config, log, metrics } = await afterChangeTo('canary new');
    expect(config.TOKEN.current).toEqual(['canary-old']);
    expect(metrics).toContain('secret_unreadable{secret="TOKEN"} 1');
    expect(log).toContain('cannot be read');
    expect(log).not.toContain('canary');
  });
});
