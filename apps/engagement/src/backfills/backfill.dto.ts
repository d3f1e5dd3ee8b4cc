import { ApiProperty } from '@nestjs/swagger';

const times = { type: String, format: 'date-time', nullable: true } as const;
const numbers = { type: 'integer', nullable: true } as const;

/** States of a backfill. */
export const backfillStates = ['waiting', 'running', 'paused', 'finished'] as const;

/** How far the newest published version of a definition is brought to the users of its platform. */
export class BackfillReply {
  @ApiProperty({ format: 'uuid' })
  definition_id: string;

  @ApiProperty({ type: 'integer' })
  version: number;

  @ApiProperty({
    enum: backfillStates,
    description: '`waiting` until it begins, within seconds of the publication',
  })
  state: (typeof backfillStates)[number];

  @ApiProperty({
    ...numbers,
    description: 'Users of the platform when it began; more than 100,000 are estimated until all are found',
  })
  users_total: number | null;

  @ApiProperty({ type: 'integer', description: 'Users for whom the version is evaluated' })
  users_done: number;

  @ApiProperty({ type: 'number', nullable: true, description: 'Mean of the time for which it was not paused' })
  users_per_second: number | null;

  @ApiProperty({ ...numbers, description: 'At that rate; null while it is paused or nothing is done' })
  seconds_left: number | null;

  @ApiProperty(times)
  started_at: string | null;

  @ApiProperty({ ...times, description: 'When all users were found; the last ones are evaluated soon after' })
  finished_at: string | null;

  @ApiProperty(times)
  paused_at: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The operator' })
  paused_by: string | null;
}
