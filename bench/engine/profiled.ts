import * as fs from 'node:fs';
import { Session } from 'node:inspector/promises';
import * as path from 'node:path';

/** Runs work and, when a folder is given, writes a CPU profile of this process there. */
export async function profiled<T>(folder: string | undefined, name: string, work: () => Promise<T>): Promise<T> {
  if (folder === undefined) return work();
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
  const result = await work();
  const { profile } = await session.post('Profiler.stop');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, `${name}.cpuprofile`), JSON.stringify(profile));
  session.disconnect();
  return result;
}
