import { ApiPropertyOptional } from '@nestjs/swagger';
import { IfGiven, IsOpaqueId, IsPlainText } from './field-rules';
import { PageQuery } from './page';

/** Query of lists for operators with an optional filter by one user at one platform. */
export class UserPageQuery extends PageQuery {
  @ApiPropertyOptional({ description: 'Only this platform' })
  @IfGiven()
  @IsPlainText(255)
  platform?: string;

  @ApiPropertyOptional({ description: 'Only this user of the service' })
  @IfGiven()
  @IsOpaqueId(255)
  user_id?: string;
}
