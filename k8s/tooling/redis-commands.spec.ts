import * as fs from 'node:fs';
import * as path from 'node:path';
import { checkoutFolder } from '../../tools/stack/folders';
import { services } from './service-needs';

const withRedis = services.flatMap(({ name, redis }) => (redis ? [[name, redis.commands] as const] : []));

describe('the rights in Redis', () => {
  it.each(withRedis)('of %s hold every command of its scripts', (service, commands) => {
    const used = commandsOfScripts(path.join(checkoutFolder, 'apps', service, 'src'));
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((command) => !commands.includes(command))).toEqual([]);
  });
});

/** The commands that Lua scripts in the sources of a service call, in lower case. */
function commandsOfScripts(folder: string): string[] {
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'));
  const texts = sources.map((file) => fs.readFileSync(path.join(folder, file), 'utf8'));
  return [
    ...new Set(
      texts.flatMap((text) => [...text.matchAll(/redis\.call\('(\w+)'/g)].map(([, name]) => name.toLowerCase())),
    ),
  ];
}
