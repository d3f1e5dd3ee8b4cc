import { ApiProperty } from '@nestjs/swagger';
import { IsPlainText } from '@podium/runtime/http';
import { IsObject } from 'class-validator';
import type { Condition } from '../evaluation/condition';
import { VersionReply } from './definition.dto';

const conditionApi = {
  type: 'object',
  additionalProperties: true,
  description:
    'all, any, not, count, sum or latest over negotiated events, for example {"count":{"event":"deposit","where":[{"attribute":"amount","op":"gte","value":"50"}]},"window":{"rolling":"P30D"},"op":"gte","value":3}; windows: rolling (UTC days P30D, weeks P4W, hours PT6H), {"since":"link"}, {"lifetime":true}',
} as const;

/** A further version of a segment. */
export class SegmentVersionDto {
  @ApiProperty({ maxLength: 255 })
  @IsPlainText(255)
  name: string;

  @ApiProperty(conditionApi)
  @IsObject()
  condition: object;
}

/** A new segment. */
export class CreateSegmentDto extends SegmentVersionDto {
  @ApiProperty({ description: 'The integration to which the segment belongs' })
  @IsPlainText(255)
  platform: string;
}

/** One version of a segment. */
export class SegmentVersionReply extends VersionReply {
  @ApiProperty(conditionApi)
  condition: Condition;
}

/** A segment with its version in force, otherwise its newest version. */
export class SegmentReply extends SegmentVersionReply {
  @ApiProperty({ format: 'uuid' })
  segment_id: string;

  @ApiProperty()
  platform: string;

  @ApiProperty()
  organizer_id: string;
}

/** A segment with all its versions, oldest first. */
export class SegmentWithVersionsReply extends SegmentReply {
  @ApiProperty({ type: [SegmentVersionReply] })
  versions: SegmentVersionReply[];
}

/** A page of segments, newest first. */
export class SegmentPageReply {
  @ApiProperty({ type: [SegmentReply] })
  items: SegmentReply[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}
