import { type Pool, inTransaction, queryable } from '@podium/runtime/postgres';
import { secretLocations } from './secret-locations';
import { SealBrokenError, Vault } from './vault';
import { sealedUnderOthers } from './vault-keys.store';

/** The result of a batch of rows under an old key. */
export interface ResealedBatch {
  readonly resealed: number;
  /** Messages about rows that cannot be decrypted; they stay unchanged. */
  readonly broken: readonly string[];
  /** Where the next batch begins, or null after the last. */
  readonly next: string | null;
}

interface SecretRow {
  id: string;
  secret: string;
  previous: string | null;
}

interface TokenRow {
  id: string;
  access: string;
  refresh: string | null;
  previous: string | null;
}

const batchRows = 100;
const first = '00000000-0000-0000-0000-000000000000';

/**
 * Re-encrypts rows under an old key, a locked batch at a time in key order; rows that are locked are left for the next run.
 * The secrets stay the same, so versions do not increase: a newer secret always wins.
 */
export class SealedRowsStore {
  constructor(
    private readonly pool: Pool,
    private readonly vault: Vault,
  ) {}

  /** Number of secrets that wait for re-encryption. */
  async countUnderFormerKeys(): Promise<number> {
    const others = await sealedUnderOthers(queryable(this.pool), this.vault.keyIds[0]);
    return others.reduce((total, { sealed }) => total + sealed, 0);
  }

  /**
   * Client secrets of integrations after the given id. Not through the entity, whose version would increase: an operator's change
   * that expects it, or the profile of a check, would be a conflict although nothing of it has changed.
   */
  resealClientSecrets(after: string | null): Promise<ResealedBatch> {
    return inTransaction(this.pool, async (tx) => {
      const { rows } = await tx.query<SecretRow>(
        `SELECT integration_id AS id, client_secret_enc AS secret, previous_client_secret_enc AS previous
         FROM linkage.integrations
         WHERE integration_id > $3
           AND (NOT starts_with(nullif(client_secret_enc, ''), $1) OR NOT starts_with(previous_client_secret_enc, $1))
         ORDER BY integration_id LIMIT $2 FOR UPDATE SKIP LOCKED`,
        [this.vault.currentPrefix, batchRows, after ?? first],
      );
      const { done, broken } = eachOpened(rows, (row) => this.resealedSecret(row));
      await tx.query(
        `UPDATE linkage.integrations i SET client_secret_enc = n.secret, previous_client_secret_enc = n.previous
         FROM unnest($1::uuid[], $2::text[], $3::text[]) AS n (id, secret, previous) WHERE i.integration_id = n.id`,
        [done.map((row) => row.id), done.map((row) => row.secret), done.map((row) => row.previous)],
      );
      return { resealed: done.length, broken, next: nextAfter(rows.at(-1)?.id, rows.length) };
    });
  }

  /** Partners' tokens of links after the given id. */
  resealTokens(after: string | null): Promise<ResealedBatch> {
    return inTransaction(this.pool, async (tx) => {
      const { rows } = await tx.query<TokenRow>(
        `SELECT link_id AS id, access_token_enc AS access, refresh_token_enc AS refresh,
                previous_refresh_token_enc AS previous
         FROM linkage.link_tokens
         WHERE link_id > $3
           AND (NOT starts_with(access_token_enc, $1)
             OR NOT starts_with(refresh_token_enc, $1)
             OR NOT starts_with(previous_refresh_token_enc, $1))
         ORDER BY link_id LIMIT $2 FOR UPDATE SKIP LOCKED`,
        [this.vault.currentPrefix, batchRows, after ?? first],
      );
      const { done, broken } = eachOpened(rows, (row) => this.resealedToken(row));
      await tx.query(
        `UPDATE linkage.link_tokens t
         SET access_token_enc = n.access, refresh_token_enc = n.refresh, previous_refresh_token_enc = n.previous
         FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) AS n (id, access, refresh, previous)
         WHERE t.link_id = n.id`,
        [
          done.map((row) => row.id),
          done.map((row) => row.access),
          done.map((row) => row.refresh),
          done.map((row) => row.previous),
        ],
      );
      return { resealed: done.length, broken, next: nextAfter(rows.at(-1)?.id, rows.length) };
    });
  }

  private resealedSecret({ id, secret, previous }: SecretRow): SecretRow {
    const place = secretLocations.clientSecret(id);
    return {
      id,
      // A restored integration has none until an operator enters it.
      secret: secret && this.vault.reseal(secret, place),
      previous: previous && this.vault.reseal(previous, place),
    };
  }

  private resealedToken({ id, access, refresh, previous }: TokenRow): TokenRow {
    return {
      id,
      access: this.vault.reseal(access, secretLocations.accessToken(id)),
      refresh: refresh && this.vault.reseal(refresh, secretLocations.refreshToken(id)),
      previous: previous && this.vault.reseal(previous, secretLocations.refreshToken(id)),
    };
  }
}

/** One row that cannot be decrypted must not keep the others under the old key. */
function eachOpened<Row>(rows: readonly Row[], reseal: (row: Row) => Row): { done: Row[]; broken: string[] } {
  const done: Row[] = [];
  const broken: string[] = [];
  for (const row of rows)
    try {
      done.push(reseal(row));
    } catch (error) {
      if (!(error instanceof SealBrokenError)) throw error;
      broken.push(error.message);
    }
  return { done, broken };
}

function nextAfter(last: string | undefined, rows: number): string | null {
  return rows < batchRows ? null : (last ?? null);
}
