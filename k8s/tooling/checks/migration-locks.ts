import * as fs from 'node:fs';
import * as path from 'node:path';
import { migrationSession } from '@podium/runtime/postgres';
import { MigrationInterface, QueryRunner } from 'typeorm';
import { checkoutFolder } from '../../../tools/stack/folders';
import { run, toolsFolder } from './external-tools';
import { CheckResult } from './check-list';

/** Rules of the linter that are disabled, each with its reason. */
const exceptions: Readonly<Record<string, string>> = {
  'prefer-bigint-over-int': 'not about locks; a column is as wide as its values',
  'prefer-bigint-over-smallint': 'not about locks; a column is as wide as its values',
  'prefer-identity': 'not about locks; the outbox uses a named sequence for its ids',
};

/** Accepted findings, by migration; no migration after the first release may be added. */
const accepted: Readonly<Record<string, { readonly rule: string; readonly reason: string }>> = {
  CheckUserInfo1795000000003: {
    rule: 'require-concurrent-index-creation',
    reason: 'no deployment had links before it',
  },
  NameDataKeys1795000000004: { rule: 'require-concurrent-index-creation', reason: 'no deployment had keys before it' },
};

interface RecordedMigration {
  readonly name: string;
  readonly file: string;
  readonly isInTransaction: boolean;
}

/** Findings of the lock linter (squawk) in the SQL of every migration. */
export async function lintMigrations(): Promise<CheckResult> {
  const recorded = await recordAll(path.join(toolsFolder, 'migrations'));
  const problems = [
    ...(await lint(recorded.filter(({ isInTransaction }) => isInTransaction))),
    ...(await lint(recorded.filter(({ isInTransaction }) => !isInTransaction))),
  ];
  return { detail: `${recorded.length} migrations`, problems };
}

async function recordAll(folder: string): Promise<RecordedMigration[]> {
  fs.rmSync(folder, { recursive: true, force: true });
  const recorded: RecordedMigration[] = [];
  const apps = path.join(checkoutFolder, 'apps');
  for (const app of fs.readdirSync(apps).sort()) {
    const index = path.join(apps, app, 'src/migrations/index.ts');
    if (!fs.existsSync(index)) continue;
    const { migrations } = (await import(index)) as { migrations: readonly (new () => MigrationInterface)[] };
    fs.mkdirSync(path.join(folder, app), { recursive: true });
    for (const Migration of migrations) {
      const migration = new Migration();
      const file = path.join(folder, app, `${Migration.name}.sql`);
      fs.writeFileSync(file, await sqlOf(migration));
      recorded.push({ name: Migration.name, file, isInTransaction: migration.transaction !== false });
    }
  }
  return recorded;
}

async function lint(migrations: readonly RecordedMigration[]): Promise<string[]> {
  if (migrations.length === 0) return [];
  const { code, output } = await run(path.join(checkoutFolder, 'node_modules/.bin/squawk'), [
    '--pg-version=18',
    '--reporter=gcc',
    `--exclude=${Object.keys(exceptions).join(',')}`,
    ...(migrations[0].isInTransaction ? ['--assume-in-transaction'] : []),
    ...migrations.map(({ file }) => file),
  ]);
  const findings = output.split('\n').filter((line) => line.includes('.sql:'));
  if (code !== 0 && findings.length === 0) return [`squawk ended with code ${code}: ${output.trim()}`];
  return findings
    .filter((finding) => !isAccepted(path.basename(finding.split('.sql:')[0]), finding))
    .map((finding) => path.relative(toolsFolder, finding));
}

function isAccepted(migration: string, finding: string): boolean {
  const rule = accepted[migration]?.rule;
  return rule !== undefined && finding.includes(`: ${rule} `);
}

/** The statements that a migration sends to the server, in order. */
async function sqlOf(migration: MigrationInterface): Promise<string> {
  const statements: string[] = [];
  const recorder = {
    query: async (statement: string) => {
      statements.push(statement.trim());
      return [];
    },
  };
  await migration.up(recorder as unknown as QueryRunner);
  const session = Object.entries(migrationSession).map(([name, value]) => `SET ${name} = '${value}'`);
  return [...session, ...statements].map((statement) => `${statement};\n`).join('\n');
}
