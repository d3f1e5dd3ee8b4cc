import { ApiProperty } from '@nestjs/swagger';
import { ShownExchangeReply } from '../activity/activity-lists.dto';
import { type LeftOutReason, type TestLinkResult, type TestStep, leftOutReasons, testSteps } from './test-link-result';

const statuses = ['waiting', 'opened', 'succeeded', 'failed', 'expired'] as const;

/** The address of a test link. */
export class TestLinkStartedReply {
  @ApiProperty({ format: 'uuid' })
  test_link_id: string;

  @ApiProperty({ description: 'Open it once, in a browser in which you can log in at the partner' })
  url: string;

  @ApiProperty({ format: 'date-time' })
  expires_at: string;
}

/** How a test link ended; without data of the account that logged in. */
export class TestLinkResultReply {
  @ApiProperty({ enum: testSteps, isArray: true, description: 'Steps that passed' })
  passed: readonly TestStep[];

  @ApiProperty({ enum: testSteps, nullable: true, description: 'The step that failed' })
  failed_at: TestStep | null;

  @ApiProperty({ type: String, nullable: true, description: 'Why, as users would have seen it' })
  reason: string | null;

  @ApiProperty({ type: String, nullable: true, description: "The partner's error code if a standard defines it" })
  partner_code: string | null;

  @ApiProperty({ type: Boolean, nullable: true, description: 'Whether the partner gave a refresh token' })
  refreshable: boolean | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Lifetime of the access token that the partner sent, seconds',
  })
  expires_in_s: number | null;

  @ApiProperty({
    enum: leftOutReasons,
    nullable: true,
    description:
      'Why the revocation was left out: the account has a link (account_linked), or the user info failed and the partner ' +
      'has links (account_unknown). Some servers keep one grant per account, and would end that of the link; null otherwise',
  })
  revocation_left_out: LeftOutReason | null;

  @ApiProperty({ type: [ShownExchangeReply], description: 'Requests and responses, redacted, in their order' })
  exchanges: TestLinkResult['exchanges'];
}

/** A test link. */
export class TestLinkReply {
  @ApiProperty({ format: 'uuid' })
  test_link_id: string;

  @ApiProperty({ enum: statuses })
  status: (typeof statuses)[number];

  @ApiProperty({ type: TestLinkResultReply, nullable: true, description: 'Null until the browser has come back' })
  result: TestLinkResultReply | null;
}
