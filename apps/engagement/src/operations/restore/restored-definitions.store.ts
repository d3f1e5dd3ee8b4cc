import { DefinitionData } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';

/** A definition as it was published. */
export interface PublishedDefinition {
  readonly revision: number;
  readonly data: DefinitionData;
}

/** What the database has of a definition. */
export interface KnownDefinition {
  /** Of the newest record that the database knows of; 0 before the first. */
  readonly revision: number;
  /** It has a version. */
  readonly exists: boolean;
}

/** Locks what is known of definitions; those that the database lacks are noted first. */
export async function lockToldDefinitions(
  tx: Queryable,
  definitionIds: readonly string[],
): Promise<Map<string, KnownDefinition>> {
  await tx.query(
    `INSERT INTO engagement.told_definitions (definition_id, is_told)
     SELECT id, false FROM unnest($1::uuid[]) AS given (id) ORDER BY id ON CONFLICT DO NOTHING`,
    [definitionIds],
  );
  const { rows } = await tx.query<KnownDefinition & { id: string }>(
    `SELECT definition_id AS id, revision, EXISTS (
       SELECT FROM engagement.definitions WHERE definitions.definition_id = told.definition_id) AS exists
     FROM engagement.told_definitions AS told
     WHERE definition_id = ANY ($1::uuid[]) ORDER BY definition_id FOR UPDATE`,
    [definitionIds],
  );
  return new Map(rows.map(({ id, revision, exists }) => [id, { revision, exists }]));
}

/** Published versions that the database has with another content, as `<id> version <version>`: what is published never changes. */
export async function readDifferingVersions(
  tx: Queryable,
  definitions: readonly PublishedDefinition[],
): Promise<{ readonly id: string; readonly name: string }[]> {
  const { rows } = await tx.query<{ id: string; name: string }>(
    `SELECT known.definition_id AS id, known.definition_id || ' version ' || known.version AS name
     FROM ${givenVersions}
     JOIN engagement.definitions AS known USING (definition_id, version)
     WHERE known.state <> 'draft' AND (known.body, known.attribute_types, known.generation, known.platform,
         known.organizer_id, known.kind, known.name, known.published_at, known.counts_from, known.in_force_from, known.recount)
       IS DISTINCT FROM (given.body, given.attribute_types, given.generation, given.platform, given.organizer_id,
         given.kind, given.name, given.published_at, given.counts_from, given.in_force_from, given.recount)
     ORDER BY name`,
    [versionsOf(definitions)],
  );
  return rows;
}

/** Writes all versions of definitions as they were published, older ones first: only one of a definition may be live. */
export async function writeVersions(tx: Queryable, definitions: readonly PublishedDefinition[]): Promise<void> {
  await tx.query(
    `INSERT INTO engagement.definitions (${versionColumns})
     SELECT ${versionColumns} FROM ${givenVersions} ORDER BY definition_id, version
     ON CONFLICT (definition_id, version) DO UPDATE SET (${versionColumns}) = ROW (${excludedColumns})`,
    [versionsOf(definitions)],
  );
}

/**
 * Sets totals that were raised since, with the version at which they were: a later one that states another total ends them.
 * What is left of them is computed from the ledger when the budget is used next.
 */
export async function restateTotals(tx: Queryable, definitions: readonly PublishedDefinition[]): Promise<void> {
  const raised = definitions.flatMap(({ data: { definition_id: taskId, raised_budget: budget, versions } }) => {
    const newest = versions.findLast(({ published_at }) => published_at !== null);
    return budget === null || !newest ? [] : [{ taskId, version: newest.version, ...budget }];
  });
  await tx.query(
    `INSERT INTO engagement.budgets (task_id, version, stated_total, total)
     SELECT id, -version, stated_total, total
     FROM unnest($1::uuid[], $2::int[], $3::numeric[], $4::numeric[]) AS given (id, version, stated_total, total)
     ON CONFLICT (task_id) DO UPDATE SET version = excluded.version, stated_total = excluded.stated_total,
       total = excluded.total
     WHERE (budgets.stated_total, budgets.total) IS DISTINCT FROM (excluded.stated_total, excluded.total)
       OR abs(budgets.version) < abs(excluded.version)`,
    [
      raised.map(({ taskId }) => taskId),
      raised.map(({ version }) => version),
      raised.map(({ stated_total }) => stated_total),
      raised.map(({ total }) => total),
    ],
  );
}

/**
 * Adds the entries of the audit trail that are missing, marked as taken from the topic, unless their details have a `from` of their
 * own, as those of raised totals do. Returns them.
 */
export async function addMissingAudit(
  tx: Queryable,
  definitions: readonly PublishedDefinition[],
): Promise<readonly { readonly definitionId: string; readonly action: string }[]> {
  const entries = definitions.flatMap(({ data: { definition_id, organizer_id, audit } }) =>
    audit.map((entry) => ({ ...entry, subject: definition_id, organizer_id })),
  );
  const { rows } = await tx.query<{ definitionId: string; action: string }>(
    `INSERT INTO engagement.audit (at, operator_id, organizer_id, action, subject, details)
     SELECT at, operator_id, organizer_id, action, subject, '{"from":"topic"}' || details
     FROM ROWS FROM (jsonb_to_recordset($1::jsonb) AS (at timestamptz, operator_id text, organizer_id text, action text,
       subject text, details jsonb)) WITH ORDINALITY AS given (at, operator_id, organizer_id, action, subject, details, n)
     WHERE NOT EXISTS (
       SELECT FROM engagement.audit AS known
       WHERE (known.subject, known.at, known.action, known.operator_id)
         = (given.subject, given.at, given.action, given.operator_id))
     ORDER BY n
     RETURNING subject AS "definitionId", action`,
    [JSON.stringify(entries)],
  );
  return rows;
}

/** Adds an entry for each definition that says from which record it was taken. */
export async function noteTaken(
  tx: Queryable,
  definitions: readonly (PublishedDefinition & { readonly isNew: boolean })[],
  by: string,
): Promise<void> {
  await tx.query(
    `INSERT INTO engagement.audit (operator_id, organizer_id, action, subject, details)
     SELECT $1, organizer_id, kind || '.restored', id, jsonb_build_object('revision', revision, 'is_new', is_new)
     FROM unnest($2::text[], $3::text[], $4::text[], $5::bigint[], $6::boolean[])
       AS given (id, kind, organizer_id, revision, is_new)`,
    [
      by,
      definitions.map(({ data }) => data.definition_id),
      definitions.map(({ data }) => data.kind),
      definitions.map(({ data }) => data.organizer_id),
      definitions.map(({ revision }) => revision),
      definitions.map(({ isNew }) => isNew),
    ],
  );
}

/** What begins or ends the pause of a backfill, in the audit trail. */
const decidesPause = /\.(backfill_paused|backfill_resumed|published|ended)$/;

/** Pauses the backfills that were paused last, and no others. Where the audit trail says nothing of a pause, it stays as it is. */
export async function restateSweepPauses(tx: Queryable, definitions: readonly PublishedDefinition[]): Promise<void> {
  const decided = definitions.flatMap(({ data: { definition_id: id, audit } }) => {
    const newest = audit.findLast(({ action }) => decidesPause.test(action));
    return newest ? [{ id, ...newest }] : [];
  });
  await tx.query(`DELETE FROM engagement.paused_sweeps WHERE definition_id = ANY ($1::uuid[])`, [
    decided.map(({ id }) => id),
  ]);
  const paused = decided.filter(({ action }) => action.endsWith('.backfill_paused'));
  await tx.query(
    `INSERT INTO engagement.paused_sweeps (definition_id, version, paused_by, paused_at)
     SELECT * FROM unnest($1::uuid[], $2::int[], $3::text[], $4::timestamptz[])`,
    [
      paused.map(({ id }) => id),
      paused.map(({ details }) => Number(details.version)),
      paused.map(({ operator_id }) => operator_id),
      paused.map(({ at }) => at),
    ],
  );
}

const columns = [
  ...['definition_id', 'version', 'generation', 'kind', 'platform', 'organizer_id', 'name', 'body', 'attribute_types'],
  ...['state', 'created_by', 'created_at', 'published_by', 'published_at', 'counts_from', 'in_force_from', 'ended_at'],
  ...['ended_while_paused', 'recount', 'max_per_day', 'paused_because'],
];
const versionColumns = columns.join(', ');
const excludedColumns = columns.map((column) => `excluded.${column}`).join(', ');

const givenVersions = `jsonb_to_recordset($1::jsonb) AS given (definition_id uuid, version integer, generation integer,
    kind text, platform text, organizer_id text, name text, body jsonb, attribute_types jsonb, state text, created_by text,
    created_at timestamptz, published_by text, published_at timestamptz, counts_from timestamptz, in_force_from bigint,
    ended_at timestamptz, ended_while_paused boolean, recount boolean, max_per_day integer, paused_because jsonb)`;

function versionsOf(definitions: readonly PublishedDefinition[]): string {
  return JSON.stringify(
    definitions.flatMap(({ data: { definition_id, kind, platform, organizer_id, versions } }) =>
      versions.map((version) => ({ definition_id, kind, platform, organizer_id, ...version })),
    ),
  );
}
