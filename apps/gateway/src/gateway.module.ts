import { Module } from '@nestjs/common';

/** The gateway's routes stand in its table and go past the framework's own; the module only makes it an application. */
@Module({})
export class GatewayModule {}
