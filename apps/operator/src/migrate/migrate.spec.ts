import { migrateCommand } from './migrate';

describe('the arguments of migrate', () => {
  it.each([
    [['--dry-run'], { DATABASE_URL: 'postgres://127.0.0.1:1/podium' }, 2, /^migrate takes no arguments.*--dry-run/],
    [[], {}, 2, /^DATABASE_URL is required/],
    [[], { DATABASE_URL: 'postgres://user:canary%e4b@postgres/d' }, 2, /^DATABASE_URL must have a %.* written as %25/],
    [['--help'], {}, 0, /^$/],
  ])('%j with %j end with exit code %i', async (args, env, code, sentence) => {
    let [out, err] = ['', ''];
    const ended = await migrateCommand(args, {
      env,
      readStdin: async () => '',
      out: (text) => void (out += text),
      err: (text) => void (err += text),
    });
    expect([ended, err]).toEqual([code, expect.stringMatching(sentence)]);
    expect(out.includes('Exit codes: 0')).toBe(code === 0);
  });
});
