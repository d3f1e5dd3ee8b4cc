import { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets the tokens of an erased link wait for their revocation at the partner, which ends the grant there. */
export class RevokeAfterErasure1795000000015 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE linkage.token_revocations DROP CONSTRAINT IF EXISTS token_revocations_link_id_fkey`,
    );
    await runner.query(`
      COMMENT ON COLUMN linkage.token_revocations.link_id IS
        'Part of the seal of the tokens; the link itself is gone after an erasure, and the row names no user'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM linkage.token_revocations r
      WHERE NOT EXISTS (SELECT FROM linkage.links l WHERE l.link_id = r.link_id)`);
    await runner.query(`
      ALTER TABLE linkage.token_revocations ADD CONSTRAINT token_revocations_link_id_fkey
        FOREIGN KEY (link_id) REFERENCES linkage.links ON DELETE CASCADE`);
  }
}
