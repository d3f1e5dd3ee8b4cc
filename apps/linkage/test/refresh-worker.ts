import { setTimeout as sleep } from 'node:timers/promises';
import { fixed } from '@podium/runtime/config';
import { createPool } from '@podium/runtime/postgres';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { Vault } from '../src/vault/vault';
import { linkInstance } from './link-instance';
import { vaultKey } from './spec-keys';

/** An instance in a process of its own, which does its background work until it is killed. */
const [databaseUrl, partnerHost, instance] = process.argv.slice(2);
const logger = pino({ level: 'silent' });
const pool = createPool({ url: databaseUrl, size: 6, service: 'worker' }, logger, new Registry());
const vault = new Vault(fixed([{ id: 'k1', key: vaultKey }]));
const { maintain } = linkInstance({ pool, vault, logger, partnerHost, instance });

async function work(): Promise<void> {
  process.send?.('started');
  for (;;) {
    await maintain();
    await sleep(10);
  }
}

process.on('disconnect', () => process.exit());
void work();
