import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as path from 'node:path';
import { temporaryFolders } from '../../test/temporary-folder';
import { EventQueue } from './event-queue';

const folderOf = temporaryFolders();
const program = path.join(__dirname, '../../test/enqueue-until-killed.ts');

/** Runs the program until it has confirmed some events, kills it with SIGKILL, and returns their ids. */
async function confirmedUntilKilled(folder: string, name: string, events: number): Promise<string[]> {
  const child = spawn(process.execPath, ['-r', '@swc-node/register', program, folder, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += String(chunk);
    if (printed.split('\n').length > events) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  expect(child.signalCode).toBe('SIGKILL');
  // The last line may be torn.
  return printed.split('\n').slice(0, -1);
}

it('keeps every event that was confirmed when processes are killed while they write', async () => {
  const folder = folderOf();
  const confirmed = (
    await Promise.all(['a', 'b'].map((name, at) => confirmedUntilKilled(folder, name, 300 + 400 * at)))
  ).flat();
  expect(confirmed.length).toBeGreaterThan(900);
  let torn = 0;
  const fail = (problem: string | Error): never => {
    throw new Error(String(problem));
  };
  const queue = await EventQueue.open({
    folder,
    maxBytes: 2 ** 30,
    segmentBytes: 20_000,
    onClaimed: () => undefined,
    onTornLine: () => (torn += 1),
    onDamagedFile: fail,
    onUnreadable: fail,
  });
  const found = new Map<string, number>();
  while (queue.hasNext)
    for (const { event } of (await queue.next()).events) found.set(event.id, (found.get(event.id) ?? 0) + 1);
  await queue.close();
  expect(confirmed.filter((id) => !found.has(id))).toEqual([]);
  expect([...found.values()].filter((times) => times !== 1)).toEqual([]);
  // At most what was being written when each was killed.
  expect(found.size - confirmed.length).toBeLessThanOrEqual(100);
  expect(torn).toBeLessThanOrEqual(2);
}, 20_000);
