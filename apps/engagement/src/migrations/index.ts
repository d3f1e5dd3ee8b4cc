import { MigrationInterface } from 'typeorm';
import { CreateDefinitions1795100000000 } from './1795100000000-create-definitions';
import { CreateEvents1795100000001 } from './1795100000001-create-events';
import { CreateState1795100000002 } from './1795100000002-create-state';
import { CreateAwards1795100000003 } from './1795100000003-create-awards';
import { CreateOutbox1795100000004 } from './1795100000004-create-outbox';
import { CreateReplays1795100000005 } from './1795100000005-create-replays';
import { CreateErasures1795100000006 } from './1795100000006-create-erasures';
import { IndexUserDigests1795100000007 } from './1795100000007-index-user-digests';
import { CreateErasedAccounts1795100000008 } from './1795100000008-create-erased-accounts';
import { MarkEpochs1795100000009 } from './1795100000009-mark-epochs';
import { FenceOutbox1795100000010 } from './1795100000010-fence-outbox';
import { AddInForceFrom1795100000011 } from './1795100000011-add-in-force-from';
import { CreateLinkPeriods1795100000012 } from './1795100000012-create-link-periods';
import { ExtendAwards1795100000013 } from './1795100000013-extend-awards';
import { FreeReversedAccounts1795100000014 } from './1795100000014-free-reversed-accounts';
import { CreateHistories1795100000015 } from './1795100000015-create-histories';
import { CreateToldState1795100000016 } from './1795100000016-create-told-state';
import { CreateTrials1795100000017 } from './1795100000017-create-trials';
import { CreateRates1795100000018 } from './1795100000018-create-rates';
import { ControlSweeps1795100000019 } from './1795100000019-control-sweeps';
import { KeepDueInstants1795100000020 } from './1795100000020-keep-due-instants';
import { KeepDeadEvents1795100000021 } from './1795100000021-keep-dead-events';
import { ComputeHistoriesAgain1795100000022 } from './1795100000022-compute-histories-again';
import { VacuumEventsOften1795100000023 } from './1795100000023-vacuum-events-often';
import { MarkCountedAwards1795100000024 } from './1795100000024-mark-counted-awards';
import { DateRaisedBudgets1795100000025 } from './1795100000025-date-raised-budgets';
import { IndexReversedAccounts1795100000026 } from './1795100000026-index-reversed-accounts';
import { KeepToldAccounts1795100000027 } from './1795100000027-keep-told-accounts';

/** The schema of this service. */
export const schema = 'engagement';

/** Its migrations, oldest first. */
export const migrations: (new () => MigrationInterface)[] = [
  CreateDefinitions1795100000000,
  CreateEvents1795100000001,
  CreateState1795100000002,
  CreateAwards1795100000003,
  CreateOutbox1795100000004,
  CreateReplays1795100000005,
  CreateErasures1795100000006,
  IndexUserDigests1795100000007,
  CreateErasedAccounts1795100000008,
  MarkEpochs1795100000009,
  FenceOutbox1795100000010,
  AddInForceFrom1795100000011,
  CreateLinkPeriods1795100000012,
  ExtendAwards1795100000013,
  FreeReversedAccounts1795100000014,
  CreateHistories1795100000015,
  CreateToldState1795100000016,
  CreateTrials1795100000017,
  CreateRates1795100000018,
  ControlSweeps1795100000019,
  KeepDueInstants1795100000020,
  KeepDeadEvents1795100000021,
  ComputeHistoriesAgain1795100000022,
  VacuumEventsOften1795100000023,
  MarkCountedAwards1795100000024,
  DateRaisedBudgets1795100000025,
  IndexReversedAccounts1795100000026,
  KeepToldAccounts1795100000027,
];
