import { Controller, Get, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentOperator, type Operator, OperatorGuard } from '@podium/runtime/http';
import { VaultReply } from './vault.dto';
import { VaultService } from './vault.service';

/** The keys that encrypt stored secrets, for operators. */
@ApiTags('Vault')
@ApiBearerAuth()
@UseGuards(OperatorGuard)
@Controller('admin/v1/vault')
export class VaultController {
  constructor(private readonly vault: VaultService) {}

  @Get()
  @ApiOperation({
    operationId: 'showVault',
    summary: 'Show which vault keys are in use, and by which instances',
    description: 'Role viewer of the whole service. Shows when a former key may be removed from VAULT_KEYS.',
  })
  @ApiOkResponse({ type: VaultReply })
  show(@CurrentOperator() operator: Operator): Promise<VaultReply> {
    return this.vault.status(operator);
  }
}
