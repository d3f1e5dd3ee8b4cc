import { ApiProperty } from '@nestjs/swagger';

/** A key of the vault, without the key. */
export class VaultKeyReply {
  @ApiProperty()
  key_id: string;

  @ApiProperty({
    enum: ['sealing', 'in_use', 'unused', 'missing'],
    description:
      '`sealing`: an instance seals under it. `in_use`: something is sealed under it. `unused`: neither, so that it may ' +
      'leave VAULT_KEYS. `missing`: it is needed and not every instance has it',
  })
  state: 'sealing' | 'in_use' | 'unused' | 'missing';

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Secrets sealed under it; null for the sealing key, whose secrets are not counted',
  })
  sealed: number | null;

  @ApiProperty({ type: 'integer', description: 'Instances that have it' })
  instances: number;
}

/** A running instance. */
export class VaultInstanceReply {
  @ApiProperty()
  instance: string;

  @ApiProperty({ type: [String], description: 'Ids of its keys, the one that seals first' })
  key_ids: string[];

  @ApiProperty({ format: 'date-time' })
  seen_at: string;
}

/** Progress of a rotation of the vault's keys. */
export class VaultReply {
  @ApiProperty({ type: [VaultKeyReply] })
  keys: VaultKeyReply[];

  @ApiProperty({ type: [VaultInstanceReply] })
  instances: VaultInstanceReply[];
}
