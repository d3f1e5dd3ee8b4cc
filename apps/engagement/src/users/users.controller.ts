import { Controller, Get, Param, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentOperator, type Operator, OperatorGuard } from '@podium/runtime/http';
import { OpaqueIdPipe } from './opaque-id.pipe';
import { UserReply } from './user.dto';
import { UsersService } from './users.service';

/** The state of a user, for operators. */
@ApiTags('Users')
@ApiBearerAuth('operator-token')
@UseGuards(OperatorGuard)
@Controller('admin/v1/users')
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Get(':platform/:user_id')
  @ApiOperation({
    operationId: 'getUser',
    summary: 'Show the link, memberships, awards and stored events of a user',
    description: 'Role viewer.',
  })
  @ApiOkResponse({ type: UserReply })
  show(
    @CurrentOperator() operator: Operator,
    @Param('platform', OpaqueIdPipe) platform: string,
    @Param('user_id', OpaqueIdPipe) userId: string,
  ): Promise<UserReply> {
    return this.users.show(operator, platform, userId);
  }
}
