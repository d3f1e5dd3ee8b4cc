import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { StackFolders } from './folders';

/** Names of the apps that have a database role of their own. */
export const databaseRoles = ['linkage', 'ingestion', 'engagement', 'competition-read'] as const;

/** An app with a database role of its own, `podium_<app>` with hyphens as underscores. */
export type DatabaseRole = (typeof databaseRoles)[number];

/** Secrets of a local stack, generated once and stored in `secrets.json`, readable by its owner only. */
export interface StackSecrets {
  readonly postgresPassword: string;
  readonly rolePasswords: Record<DatabaseRole, string>;
  /** The token that proves that a request came through the gateway. */
  readonly internalToken: string;
  readonly oidcClientSecret: string;
  /** `id:base64` of 32 bytes, comma-separated, the first is current. */
  readonly vaultKeys: string;
  /** Same form as `vaultKeys`. */
  readonly sessionKeys: string;
}

/** Reads the secrets of a stack; missing ones are generated and stored. */
export function openSecrets(folders: StackFolders): StackSecrets {
  const file = path.join(folders.root, 'secrets.json');
  const known = fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Partial<StackSecrets>) : {};
  const made = makeSecrets();
  const secrets = { ...made, ...known, rolePasswords: { ...made.rolePasswords, ...known.rolePasswords } };
  fs.writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  return secrets;
}

function makeSecrets(): StackSecrets {
  return {
    postgresPassword: password(),
    rolePasswords: Object.fromEntries(databaseRoles.map((role) => [role, password()])) as Record<DatabaseRole, string>,
    internalToken: password(),
    oidcClientSecret: password(),
    vaultKeys: key('vault-1'),
    sessionKeys: key('session-1'),
  };
}

function password(): string {
  return randomBytes(24).toString('base64url');
}

function key(id: string): string {
  return `${id}:${randomBytes(32).toString('base64')}`;
}
