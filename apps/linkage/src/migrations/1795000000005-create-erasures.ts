import { identityDigestFunctionSql } from '@podium/runtime/postgres';
import { MigrationInterface, QueryRunner } from 'typeorm';
import { schema } from './schema';

/** Users who were erased, how far every part of the service is with it, and where this service reads its own topic. */
export class CreateErasures1795000000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(identityDigestFunctionSql(schema));
    await runner.query(`
      CREATE TABLE linkage.erasures (
        erasure_id uuid PRIMARY KEY,
        subject uuid NOT NULL,
        user_digests uuid[] NOT NULL,
        erased_at timestamptz NOT NULL,
        requested_by text NOT NULL,
        requested_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        links integer NOT NULL,
        link_partitions integer[] NOT NULL,
        outbox_ids bigint[] NOT NULL,
        places jsonb,
        passed jsonb NOT NULL DEFAULT '{}',
        completed_at timestamptz
      )`);
    await runner.query(`
      COMMENT ON TABLE linkage.erasures IS 'A record, kept for good; names nobody, users stand in it by digest alone'`);
    await runner.query(
      `COMMENT ON COLUMN linkage.erasures.subject IS 'Digest of what the request named: asked again meanwhile, it is the same'`,
    );
    await runner.query(
      `COMMENT ON COLUMN linkage.erasures.user_digests IS 'Of (platform, user_id), as in the topic; one per platform'`,
    );
    await runner.query(
      `COMMENT ON COLUMN linkage.erasures.erased_at IS 'A whole second: links made before it are erased, later ones are not'`,
    );
    await runner.query(
      `COMMENT ON COLUMN linkage.erasures.link_partitions IS 'Of the links topic, in which accounts of the user lay'`,
    );
    await runner.query(
      `COMMENT ON COLUMN linkage.erasures.places IS 'Ends of partitions after the acknowledgement of all records; null until then'`,
    );
    await runner.query(
      `COMMENT ON COLUMN linkage.erasures.passed IS 'By consumer group, when it had passed its places; it is done then'`,
    );
    await runner.query(`
      CREATE UNIQUE INDEX erasures_under_way ON linkage.erasures (subject) WHERE completed_at IS NULL`);
    await runner.query(`CREATE INDEX erasures_by_user ON linkage.erasures USING gin (user_digests)`);
    await runner.query(`
      CREATE TABLE linkage.positions (
        topic text NOT NULL,
        partition integer NOT NULL,
        next_offset bigint NOT NULL,
        PRIMARY KEY (topic, partition)
      )`);
    await runner.query(`
      COMMENT ON TABLE linkage.positions IS
        'How far erasures were read back, written with what they changed: a restored database applies again what it lacks'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE linkage.positions, linkage.erasures`);
    await runner.query(`DROP FUNCTION linkage.identity_digest(text, text)`);
  }
}
