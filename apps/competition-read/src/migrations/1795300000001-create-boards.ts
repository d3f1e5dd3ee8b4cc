import { MigrationInterface, QueryRunner } from 'typeorm';

/** Rankings, in both sets: the entries in their order, and how many entries stand in each part of a board. */
export class CreateBoards1795300000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const set of ['a', 'b']) {
      const entries = `competition_read.board_entries_${set}`;
      const counts = `competition_read.board_counts_${set}`;
      await runner.query(`
        CREATE TABLE ${entries} (
          rank_key bigint NOT NULL,
          board text COLLATE "C" NOT NULL,
          player_id text COLLATE "C" NOT NULL,
          body text COLLATE "C" NOT NULL,
          PRIMARY KEY (board, player_id)
        ) WITH (fillfactor = 90)`);
      await runner.query(`
        COMMENT ON COLUMN ${entries}.rank_key IS
          '2^31-1 less the score in the upper 32 bits, the start of the player id in the lower 16: (rank_key, player_id) ascending is the order of the board'`);
      await runner.query(`COMMENT ON COLUMN ${entries}.body IS 'JSON text without the position, which a read adds'`);
      // All keys are 0 or more. The condition keeps the planner from finding a player of a large board by walking the order
      // of the board: only what says `rank_key >= 0` uses this index.
      await runner.query(`
        CREATE INDEX board_entries_${set}_order ON ${entries} (board, rank_key, player_id) WHERE rank_key >= 0`);
      await runner.query(`
        CREATE TABLE ${counts} (
          prefix bigint NOT NULL,
          count integer NOT NULL,
          level smallint NOT NULL,
          board text COLLATE "C" NOT NULL,
          PRIMARY KEY (board, level, prefix)
        ) WITH (fillfactor = 70)`);
      await runner.query(`
        COMMENT ON TABLE ${counts} IS
          'How many entries of a board begin with a prefix of 6 bits per level of the rank key; level 0 is the whole board. A prefix has rows on the level below only while it counts more than 256'`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const set of ['a', 'b'])
      await runner.query(`DROP TABLE competition_read.board_entries_${set}, competition_read.board_counts_${set}`);
  }
}
