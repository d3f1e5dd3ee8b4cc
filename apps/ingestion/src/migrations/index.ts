import { MigrationInterface } from 'typeorm';
import { CreateLinks1767225600000 } from './1767225600000-create-links';
import { CreateRefusals1767225600001 } from './1767225600001-create-refusals';
import { CreatePositions1767225600002 } from './1767225600002-create-positions';
import { CreateErasedAccounts1767225600003 } from './1767225600003-create-erased-accounts';
import { CreateRefusedEvents1767225600004 } from './1767225600004-create-refused-events';
import { CreateDrift1767225600005 } from './1767225600005-create-drift';
import { CreateMarkGeneration1767225600006 } from './1767225600006-create-mark-generation';

/** The schema that ingestion owns. */
export const schema = 'ingestion';

/** Its migrations, oldest first. */
export const migrations: (new () => MigrationInterface)[] = [
  CreateLinks1767225600000,
  CreateRefusals1767225600001,
  CreatePositions1767225600002,
  CreateErasedAccounts1767225600003,
  CreateRefusedEvents1767225600004,
  CreateDrift1767225600005,
  CreateMarkGeneration1767225600006,
];
