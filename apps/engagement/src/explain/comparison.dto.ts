import { ApiProperty } from '@nestjs/swagger';
import { reference } from '../definitions/definition-schemas';

const time = { type: String, format: 'date-time', nullable: true } as const;
const text = { type: String, nullable: true } as const;

/** An event that counts. */
export class CountedEventReply {
  @ApiProperty()
  id: string;

  @ApiProperty()
  name: string;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ format: 'date-time' })
  received_at: string;

  @ApiProperty()
  platform_user_id: string;

  @ApiProperty({
    ...text,
    description: 'The value that the comparison reads, with its currency; converted, `100 USD = 92 EUR`',
  })
  value: string | null;
}

/** An event of the same name that does not count. */
export class NotCountedEventReply extends CountedEventReply {
  @ApiProperty({
    enum: [
      ...['after_closing', 'not_yet_seen', 'late', 'filter', 'absent_value', 'other_currency'],
      ...['no_rate', 'other_link', 'outside_window', 'outside_streak', 'not_newest'],
    ],
  })
  reason: string;

  @ApiProperty({
    ...reference('AttributeTest'),
    nullable: true,
    description: 'The first test of the filter that fails, in canonical form',
  })
  test: object | null;
}

/** Older events that are kept as one value. */
export class BucketReply {
  @ApiProperty({ ...time, description: 'The day or hour, or the link; null for one total' })
  starts_at: string | null;

  @ApiProperty({
    description: 'The value of its events; converted, by currency: `100 USD = 92 EUR`, or `100 USD` without a rate',
  })
  value: string;

  @ApiProperty({ type: 'integer', description: 'How many of its events are stored' })
  stored: number;
}

/** One comparison of a condition. */
export class ComparisonReply {
  @ApiProperty({ description: 'Its place in the condition, for example goal.all[1]' })
  path: string;

  @ApiProperty({ ...reference('Goal'), description: 'In canonical form' })
  condition: object;

  @ApiProperty({ ...text, description: 'A decimal; null where there is nothing to compare' })
  value: string | null;

  @ApiProperty(text)
  target: string | null;

  @ApiProperty()
  holds: boolean;

  @ApiProperty({ ...time, description: 'The beginning of the window' })
  window_from: string | null;

  @ApiProperty({ type: [CountedEventReply], description: 'Newest first, at most 100' })
  counted: CountedEventReply[];

  @ApiProperty({ type: 'integer', description: 'Events that count and are stored' })
  counted_total: number;

  @ApiProperty({ type: [NotCountedEventReply], description: 'Newest first, at most 100' })
  not_counted: NotCountedEventReply[];

  @ApiProperty({ type: 'integer' })
  not_counted_total: number;

  @ApiProperty({
    type: [BucketReply],
    description: 'Newest first, at most 100; their stored events are in `counted` too',
  })
  buckets: BucketReply[];

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Events that count and are no longer stored; null where their number is not known',
  })
  events_not_stored: number | null;
}
