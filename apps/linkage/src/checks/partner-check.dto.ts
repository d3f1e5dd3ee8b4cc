import type { CheckReport } from '@podium/partner-check';
import { ApiProperty } from '@nestjs/swagger';

/** A check of a partner's server, without its report. */
export class PartnerCheckSummary {
  @ApiProperty({ format: 'uuid' })
  check_id: string;

  @ApiProperty({
    enum: ['running', 'waiting_for_log_in', 'finished', 'interrupted'],
    description: '`interrupted`: the instance that ran it has ended; start another check',
  })
  status: 'running' | 'waiting_for_log_in' | 'finished' | 'interrupted';

  @ApiProperty({ description: 'Operator' })
  started_by: string;

  @ApiProperty({ format: 'date-time' })
  started_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  finished_at: string | null;

  @ApiProperty({
    enum: ['links', 'does_not_link', 'not_finished'],
    nullable: true,
    description: 'Whether linking works; `not_finished`: a log-in did not come back. Null without a report',
  })
  verdict: CheckReport['verdict'] | null;
}

/** The last checks of an integration. */
export class PartnerChecksReply {
  @ApiProperty({ type: [PartnerCheckSummary], description: 'At most 20, newest first' })
  items: PartnerCheckSummary[];
}

/** A check of a partner's server. */
export class PartnerCheckReply extends PartnerCheckSummary {
  @ApiProperty({
    type: String,
    format: 'uri',
    nullable: true,
    description:
      "To open in a browser while the check waits for a log-in with a test account. It leads to the partner's page; only this " +
      'browser can end the log-in. Nobody is linked by it',
  })
  log_in_url: string | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Of at most four' })
  log_in_number: number | null;

  @ApiProperty({ type: String, nullable: true, description: 'Why the log-in is needed' })
  log_in_purpose: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description:
      'Verdict, derived profile, findings with rule and fix, cases, redacted exchanges; null until it is finished',
  })
  report: CheckReport | null;
}
