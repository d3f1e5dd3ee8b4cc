import { Controller, Get, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentOperator, type Operator, OperatorGuard, UuidPipe } from '@podium/runtime/http';
import { TestLinkReply, TestLinkStartedReply } from './test-link.dto';
import { TestLinksService } from './test-links.service';

/** Test links, for operators. */
@ApiTags('Linking')
@ApiBearerAuth()
@UseGuards(OperatorGuard)
@Controller('admin/v1/integrations')
export class TestLinksController {
  constructor(private readonly testLinks: TestLinksService) {}

  @Post(':integration_id/test-links')
  @HttpCode(201)
  @ApiOperation({
    operationId: 'startTestLink',
    summary: 'Test linking with an account of your own',
    description:
      'Role editor. Open the returned address in a browser and log in at the partner. It goes through the requests of a ' +
      'link, a refresh and a revocation, which is left out for an account that is linked. No link, token, record or count ' +
      'of users is made.',
  })
  @ApiCreatedResponse({ type: TestLinkStartedReply })
  start(
    @CurrentOperator() operator: Operator,
    @Param('integration_id', UuidPipe) integrationId: string,
  ): Promise<TestLinkStartedReply> {
    return this.testLinks.start(operator, integrationId);
  }

  @Get(':integration_id/test-links/:test_link_id')
  @ApiOperation({
    operationId: 'showTestLink',
    summary: 'Show how a test link ended',
    description: 'Role viewer. The result is deleted an hour after the address has expired.',
  })
  @ApiOkResponse({ type: TestLinkReply })
  show(
    @CurrentOperator() operator: Operator,
    @Param('integration_id', UuidPipe) integrationId: string,
    @Param('test_link_id', UuidPipe) testLinkId: string,
  ): Promise<TestLinkReply> {
    return this.testLinks.show(operator, integrationId, testLinkId);
  }
}
