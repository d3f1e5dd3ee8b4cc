import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IfGiven, IsNestedList, IsPlainText, PageQuery } from '@podium/runtime/http';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsIn, Matches } from 'class-validator';

const currencyApi = { type: String, pattern: '^[A-Z]{3}$' } as const;
const currencyForm = { message: 'must be a code of three capital letters (ISO 4217)' };
const dayApi = { type: String, format: 'date' } as const;
const rateForm = '^[0-9]{1,9}(\\.[0-9]{1,12})?$';
const states = ['given', 'approved'] as const;

/** The most rates of one request. */
const maxRates = 100;

/** The rate of a pair on a day. */
export class StatedRateDto {
  @ApiProperty({ ...currencyApi, description: 'The currency of amounts' })
  @Matches(/^[A-Z]{3}$/, currencyForm)
  from: string;

  @ApiProperty({ ...currencyApi, description: 'The currency to which they are converted' })
  @Matches(/^[A-Z]{3}$/, currencyForm)
  to: string;

  @ApiProperty({ ...dayApi, description: 'UTC day, which is over. It converts amounts of the days after it' })
  @Matches(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/, { message: 'must be a day, for example 2026-11-05' })
  day: string;

  @ApiProperty({
    pattern: rateForm,
    description:
      'What one unit of `from` was worth in `to`: a decimal above 0, at most 9 digits before and 12 after the point',
  })
  @Matches(new RegExp(rateForm), {
    message:
      'must be a text with a decimal above 0, at most 9 digits before and 12 after the point, for example 0.9217',
  })
  rate: string;
}

/** Rates to give or to approve. */
export class RatesDto {
  @ApiProperty()
  @IsPlainText(255)
  organizer_id: string;

  @ApiProperty({ type: [StatedRateDto], minItems: 1, maxItems: maxRates })
  @Type(() => StatedRateDto)
  @IsNestedList()
  @ArrayMinSize(1)
  @ArrayMaxSize(maxRates)
  rates: StatedRateDto[];
}

/** Which rates to list. */
export class RatesQuery extends PageQuery {
  @ApiPropertyOptional({ description: 'Only this organizer' })
  @IfGiven()
  @IsPlainText(255)
  organizer_id?: string;

  @ApiPropertyOptional({ ...currencyApi, description: 'Only from this currency' })
  @IfGiven()
  @Matches(/^[A-Z]{3}$/, currencyForm)
  from?: string;

  @ApiPropertyOptional({ ...currencyApi, description: 'Only to this currency' })
  @IfGiven()
  @Matches(/^[A-Z]{3}$/, currencyForm)
  to?: string;

  @ApiPropertyOptional({ enum: states, description: 'Only those that wait for an approver, or that are approved' })
  @IfGiven()
  @IsIn(states)
  state?: (typeof states)[number];
}

/** Whose changes of rates to list. */
export class RatesAuditQuery extends PageQuery {
  @ApiProperty()
  @IsPlainText(255)
  organizer_id: string;
}

/** A rate. */
export class RateReply {
  @ApiProperty()
  organizer_id: string;

  @ApiProperty(currencyApi)
  from: string;

  @ApiProperty(currencyApi)
  to: string;

  @ApiProperty(dayApi)
  day: string;

  @ApiProperty({ description: 'The shortest decimal' })
  rate: string;

  @ApiProperty({ enum: states, description: 'An approved one converts amounts and never changes' })
  state: (typeof states)[number];

  @ApiProperty({ description: 'Operator' })
  given_by: string;

  @ApiProperty({ format: 'date-time' })
  given_at: string;

  @ApiProperty({ type: String, nullable: true, description: 'Operator' })
  approved_by: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  approved_at: string | null;
}

/** The rates of a request, as they are after it. */
export class RatesReply {
  @ApiProperty({ type: [RateReply] })
  items: RateReply[];
}

/** A page of rates: pairs in falling order, of each the newest day first. */
export class RatePageReply extends RatesReply {
  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}
