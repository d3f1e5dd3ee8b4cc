import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IfGiven, IsPlainText } from '@podium/runtime/http';
import { IsObject, IsString, MaxLength } from 'class-validator';
import { VersionReply } from './definition.dto';
import { reference, referenceOrStored, zoneApi } from './definition-schemas';

/** A further version of a segment. */
export class SegmentVersionDto {
  @ApiProperty({ maxLength: 255 })
  @IsPlainText(255)
  name: string;

  @ApiProperty(reference('SegmentCondition'))
  @IsObject()
  condition: object;

  @ApiPropertyOptional(zoneApi)
  @IfGiven()
  @IsString()
  @MaxLength(64)
  zone?: string;
}

/** A new segment. */
export class CreateSegmentDto extends SegmentVersionDto {
  @ApiProperty({ description: 'The integration to which the segment belongs' })
  @IsPlainText(255)
  platform: string;
}

/** One version of a segment. */
export class SegmentVersionReply extends VersionReply {
  @ApiProperty(referenceOrStored('SegmentCondition'))
  condition: object;

  @ApiProperty(zoneApi)
  zone: string;
}

/** A segment with its published version, otherwise its newest version. */
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
