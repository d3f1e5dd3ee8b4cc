import { Module } from '@nestjs/common';

/** Empty, because Nest needs a module to start. The gateway's routes are in `routes/route-table.ts` and bypass Nest. */
@Module({})
export class GatewayModule {}
