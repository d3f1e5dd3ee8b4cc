import { fixed } from '@podium/runtime/config';
import { createPool } from '@podium/runtime/postgres';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { Vault } from '../src/vault/vault';
import { linkInstance } from './link-instance';
import { vaultKey } from './spec-keys';

/** An instance in a process of its own, which checks one link and can be killed meanwhile. */
const [databaseUrl, partnerHost, linkId] = process.argv.slice(2);
const logger = pino({ level: 'silent' });
const pool = createPool({ url: databaseUrl, size: 4, service: 'killed' }, logger, new Registry());
const vault = new Vault(fixed([{ id: 'k1', key: vaultKey }]));
const { checks } = linkInstance({ pool, vault, logger, partnerHost, instance: `killed-${process.pid}` });

process.on('disconnect', () => process.exit());
void checks.check(linkId).then((result) => process.send?.(result));
