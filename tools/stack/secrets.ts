import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { StackFailure } from './failure';
import { StackFolders } from './folders';
import { replaceFile } from './replace-file';

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
  const stored = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined;
  const known = stored === undefined ? {} : parsed(file, stored);
  const made = makeSecrets();
  const secrets = { ...made, ...known, rolePasswords: { ...made.rolePasswords, ...known.rolePasswords } };
  const content = `${JSON.stringify(secrets, null, 2)}\n`;
  if (content !== stored) replaceFile(file, content, 0o600);
  return secrets;
}

function parsed(file: string, text: string): Partial<StackSecrets> {
  try {
    return JSON.parse(text) as Partial<StackSecrets>;
  } catch {
    // New secrets would open neither the database nor what the vault has sealed.
    throw new StackFailure(
      `${file} is damaged, and with it the keys to this stack's data: remove the data with "npm run stack:reset", or restore the file.`,
    );
  }
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
