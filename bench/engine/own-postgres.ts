import * as fs from 'node:fs';
import * as path from 'node:path';
import { openFolders, removeStack } from '../../tools/stack/folders';
import { freePorts } from '../../tools/stack/ports';
import { Postgres } from '../../tools/stack/postgres';
import { Progress } from '../../tools/stack/progress';
import { openSecrets } from '../../tools/stack/secrets';
import { Session } from '../../tools/stack/session';
import { productionPostgres } from '../support/production-postgres';

/** What a measurement runs on. */
export interface OwnPostgres {
  readonly session: Session;
  readonly progress: Progress;
  readonly postgres: Postgres;
}

/**
 * Runs a measurement on a Postgres of its own, which `freshDatabase` then uses, and always removes it at the end. `more` are
 * settings beside those of production.
 */
export function withOwnPostgres(
  command: string,
  measure: (own: OwnPostgres) => Promise<void>,
  more: Readonly<Record<string, string>> = {},
): Promise<never> {
  const folders = openFolders(`bench-${Date.now().toString(36)}`);
  return Session.run(command, folders, async (session) => {
    session.defer(() => removeStack(folders));
    const progress = new Progress();
    const postgres = await progress.step('Postgres', async () => {
      const { postgresPassword } = openSecrets(folders);
      const port = await freePorts('Postgres');
      const opened = await Postgres.open(folders, port, postgresPassword, {
        more: { ...productionPostgres(), ...more },
      });
      await opened.start();
      return opened;
    });
    session.defer(async () => void (await postgres.stop()));
    const addresses = path.join(folders.logs, 'bench-stack.json');
    fs.writeFileSync(addresses, JSON.stringify({ database_url: postgres.url, redis_url: '', kafka_brokers: '' }));
    process.env.PODIUM_TEST_STACK = addresses;
    await measure({ session, progress, postgres });
    progress.say('Stopping');
    return 0;
  });
}
