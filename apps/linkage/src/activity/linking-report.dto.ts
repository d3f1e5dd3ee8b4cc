import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';
import type { BreakerState } from '../partner-client/partner-breakers';
import { type PartnerOperationName, partnerOperations } from '../partner-client/exchange-record';
import { type FlowStep, flowSteps } from './flow-steps';

/** The time that a report covers. */
export class LinkingReportQuery {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: 720,
    default: 24,
    description: 'Hours back from now, in whole hours of the clock',
  })
  @Transform(({ value }) =>
    value === undefined || value === '' ? 24 : /^\d{1,9}$/.test(String(value)) ? Number(value) : NaN,
  )
  @IsInt({ message: 'must be a whole number from 1 to 720' })
  @Min(1)
  @Max(720)
  hours: number = 24;
}

/** Why something failed, and how often. */
export class FailureCountReply {
  @ApiProperty({ description: 'The reason; `docs/operations/linking.md` and the runbooks name them' })
  reason: string;

  @ApiProperty({ type: String, nullable: true, description: "The partner's standard error code, or further words" })
  detail: string | null;

  @ApiProperty({ type: 'integer' })
  count: number;

  @ApiProperty({ format: 'date-time' })
  last_at: string;
}

/** A step of linking flows. */
export class FlowStepReply {
  @ApiProperty({
    enum: flowSteps,
    description:
      '`started`: sent to the partner; `returned`: came back with a code; `exchanged`: the code became tokens; ' +
      '`identified`: the user info was read; `ready`: every service has the link',
  })
  step: FlowStep;

  @ApiProperty({ type: 'integer', description: 'Flows that passed the step' })
  passed: number;

  @ApiProperty({
    type: 'integer',
    description: 'Flows that ended before it; those that never came back are not counted',
  })
  failed: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Half of the flows took at most this long for the step, ms; the upper bound of a range',
  })
  p50_ms: number | null;

  @ApiProperty({ type: 'integer', nullable: true, description: '95 % of the flows took at most this long, ms' })
  p95_ms: number | null;

  @ApiProperty({ type: [FailureCountReply], description: 'Most frequent first' })
  failures: FailureCountReply[];
}

/** Requests to the partner's server. */
export class PartnerRequestsReply {
  @ApiProperty({ enum: partnerOperations })
  operation: PartnerOperationName;

  @ApiProperty({ type: 'integer' })
  succeeded: number;

  @ApiProperty({ type: 'integer' })
  failed: number;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Of successful requests, ms' })
  p50_ms: number | null;

  @ApiProperty({ type: 'integer', nullable: true })
  p95_ms: number | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  last_success_at: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  last_failure_at: string | null;

  @ApiProperty({ type: [FailureCountReply] })
  failures: FailureCountReply[];
}

/** A circuit breaker that is not closed. */
export class BreakerReply {
  @ApiProperty()
  instance: string;

  @ApiProperty({
    enum: ['half_open', 'open'],
    description: '`open`: requests are refused without being sent; `half_open`: one is sent to try',
  })
  state: Exclude<BreakerState, 'closed'>;

  @ApiProperty({ format: 'date-time' })
  since: string;
}

/** Which client secret the partner accepts. */
export class SecretUseReply {
  @ApiProperty({ description: 'Whether two secrets are live' })
  rotating: boolean;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description:
      'When the partner last accepted the secret that is the current one, in 30 days; null: not used yet. End a rotation ' +
      'only when it is accepted and the previous one is not any more',
  })
  current_accepted_at: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Of the other live secret of a rotation, also before the rotation; null: not used yet, or no rotation',
  })
  previous_accepted_at: string | null;
}

/** How linking with a partner works. */
export class LinkingReportReply {
  @ApiProperty({ format: 'uuid' })
  integration_id: string;

  @ApiProperty()
  platform: string;

  @ApiProperty({ type: 'integer' })
  hours: number;

  @ApiProperty({
    enum: ['healthy', 'failing', 'down', 'no_requests'],
    description:
      "`down`: the circuit breaker of an instance is open; `failing`: over half of an operation's " +
      'requests failed in this and the last hour of the clock, without counting `invalid_grant` and `invalid_token`; ' +
      '`no_requests`: nothing was sent in this time',
  })
  health: 'healthy' | 'failing' | 'down' | 'no_requests';

  @ApiProperty({ type: [FlowStepReply], description: 'All steps in order' })
  funnel: FlowStepReply[];

  @ApiProperty({ type: [PartnerRequestsReply], description: 'Operations with requests' })
  requests: PartnerRequestsReply[];

  @ApiProperty({ type: [BreakerReply], description: 'Instances whose breaker is not closed' })
  breakers: BreakerReply[];

  @ApiProperty()
  client_secrets: SecretUseReply;
}
