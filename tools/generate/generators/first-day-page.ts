import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as competitionRead from '../../../apps/competition-read/src/migrations';
import * as engagement from '../../../apps/engagement/src/migrations';
import * as ingestion from '../../../apps/ingestion/src/migrations';
import * as linkage from '../../../apps/linkage/src/migrations';
import { GeneratedFile } from './generated-file';

const path = 'docs/operations/first-day.md';
const schemas = [linkage, ingestion, engagement, competitionRead];

/** A schema and the name of its newest migration. */
export interface NewestMigration {
  readonly schema: string;
  readonly name: string;
}

/** The page for an operator's first day: written by hand, but for the newest migrations in its sample of `podium status`. */
export function firstDayPage(): GeneratedFile[] {
  const newest = schemas.map(({ schema, migrations }) => ({ schema, name: migrations[migrations.length - 1].name }));
  return [{ path, content: withNewest(readFileSync(resolve(__dirname, '../../..', path), 'utf8'), newest) }];
}

/** Sets the migration in each schema's line of `podium status`; throws when a schema has no such line. */
export function withNewest(page: string, newest: readonly NewestMigration[]): string {
  return newest.reduce((text, { schema, name }) => {
    const line = new RegExp(`^(schema ${schema} +ok +matches this release, )\\w+$`, 'm');
    if (!line.test(text)) throw new Error(`${path} has no line "schema ${schema} … matches this release"`);
    return text.replace(line, `$1${name}`);
  }, page);
}
