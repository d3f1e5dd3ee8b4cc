import * as fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { LiveSecret, keyRing } from '@podium/runtime/config';
import { createPool, queryable } from '@podium/runtime/postgres';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { Reencryption } from '../src/vault/reencryption';
import { SealedRowsStore } from '../src/vault/sealed-rows.store';
import { Vault } from '../src/vault/vault';
import { tellVaultKeys } from '../src/vault/vault-instances.store';
import { linkInstance } from './link-instance';
import { LinkingFlow } from './linking-flow';

/** What a worker reports: that it works, a link that it made, or a fault of its own. */
export type VaultWorkerReport = 'started' | 'linked' | { readonly fault: string };

const ringEveryMs = 100;
const reencryptEveryMs = 1000;
const linkEveryMs = 50;
const maintainEveryMs = 10;

/**
 * An instance in a process of its own that refreshes, links and re-encrypts until it is killed. Its key ring is a file that it
 * reads again and again, as a service does, but ten times a second.
 */
async function work(): Promise<void> {
  const [databaseUrl, partnerHost, instance, ringFile, integrationId] = process.argv.slice(2);
  const { parse } = keyRing({ meaning: 'keys of the spec', example: '' });
  const ring = new LiveSecret(fs.readFileSync(ringFile, 'utf8').trim(), parse, ringFile);
  const vault = new Vault(ring);
  const logger = pino({ level: 'error' }, { write: (line: string) => tell({ fault: line }) });
  const registry = new Registry();
  const pool = createPool({ url: databaseUrl, size: 8, service: 'worker' }, logger, registry);
  const { maintain } = linkInstance({ pool, vault, logger, partnerHost, instance });
  const flow = new LinkingFlow({ pool, vault, logger, partnerHost });
  const reencryption = new Reencryption(new SealedRowsStore(pool, vault), logger, registry);
  const reencrypt = (): Promise<void> => reencryption.run(new AbortController().signal);
  const report = (): Promise<void> => tellVaultKeys(queryable(pool), instance, vault.keyIds);
  await report();
  tell('started');
  await Promise.all([
    again(ringEveryMs, async () => {
      await ring.reload();
      await report();
    }),
    again(reencryptEveryMs, reencrypt),
    again(maintainEveryMs, maintain),
    again(linkEveryMs, async () => {
      await flow.link(integrationId);
      tell('linked');
    }),
  ]);
}

async function again(everyMs: number, run: () => Promise<unknown>): Promise<never> {
  for (;;) {
    await run().catch((error: unknown) =>
      tell({ fault: error instanceof Error ? (error.stack ?? '') : String(error) }),
    );
    await sleep(everyMs);
  }
}

function tell(report: VaultWorkerReport): void {
  process.send?.(report);
}

process.on('disconnect', () => process.exit());
void work();
