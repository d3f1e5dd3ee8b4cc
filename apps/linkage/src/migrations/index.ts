import { MigrationInterface } from 'typeorm';
import { CreateIntegrations1795000000000 } from './1795000000000-create-integrations';
import { CreateLinks1795000000001 } from './1795000000001-create-links';
import { CreateOutbox1795000000002 } from './1795000000002-create-outbox';
import { CheckUserInfo1795000000003 } from './1795000000003-check-user-info';
import { NameDataKeys1795000000004 } from './1795000000004-name-data-keys';
import { CreateErasures1795000000005 } from './1795000000005-create-erasures';
import { TellVaultKeys1795000000006 } from './1795000000006-tell-vault-keys';
import { BindToOrigin1795000000007 } from './1795000000007-bind-to-origin';
import { FenceOutbox1795000000008 } from './1795000000008-fence-outbox';
import { TimeReadiness1795000000009 } from './1795000000009-time-readiness';
import { JournalRefreshes1795000000010 } from './1795000000010-journal-refreshes';
import { IndexDueWork1795000000011 } from './1795000000011-index-due-work';
import { QueueRevocations1795000000012 } from './1795000000012-queue-revocations';
import { RecordPartnerActivity1795000000013 } from './1795000000013-record-partner-activity';
import { IndexRefreshes1795000000014 } from './1795000000014-index-refreshes';
import { RevokeAfterErasure1795000000015 } from './1795000000015-revoke-after-erasure';
import { CheckPartners1795000000016 } from './1795000000016-check-partners';
import { HastenRefreshes1795000000017 } from './1795000000017-hasten-refreshes';
import { IndexRefreshOutcomes1795000000018 } from './1795000000018-index-refresh-outcomes';
import { RateIntegrations1795000000022 } from './1795000000022-rate-integrations';
import { ScopeEventKeys1795000000023 } from './1795000000023-scope-event-keys';
import { BindChecksToBrowser1795000000024 } from './1795000000024-bind-checks-to-browser';
import { NoteCallbacks1795000000025 } from './1795000000025-note-callbacks';
import { IndexBarriers1795000000026 } from './1795000000026-index-barriers';
import { LimitLinkChanges1795000000027 } from './1795000000027-limit-link-changes';
import { KeepRefreshLeases1795000000028 } from './1795000000028-keep-refresh-leases';
import { LimitLinkChangesOfADay1795000000029 } from './1795000000029-limit-link-changes-of-a-day';
import { OrderExchanges1795000000030 } from './1795000000030-order-exchanges';

export { schema } from './schema';

/** Its migrations, oldest first. */
export const migrations: (new () => MigrationInterface)[] = [
  CreateIntegrations1795000000000,
  CreateLinks1795000000001,
  CreateOutbox1795000000002,
  CheckUserInfo1795000000003,
  NameDataKeys1795000000004,
  CreateErasures1795000000005,
  TellVaultKeys1795000000006,
  BindToOrigin1795000000007,
  FenceOutbox1795000000008,
  TimeReadiness1795000000009,
  JournalRefreshes1795000000010,
  IndexDueWork1795000000011,
  QueueRevocations1795000000012,
  RecordPartnerActivity1795000000013,
  IndexRefreshes1795000000014,
  RevokeAfterErasure1795000000015,
  CheckPartners1795000000016,
  HastenRefreshes1795000000017,
  IndexRefreshOutcomes1795000000018,
  RateIntegrations1795000000022,
  ScopeEventKeys1795000000023,
  BindChecksToBrowser1795000000024,
  NoteCallbacks1795000000025,
  IndexBarriers1795000000026,
  LimitLinkChanges1795000000027,
  KeepRefreshLeases1795000000028,
  LimitLinkChangesOfADay1795000000029,
  OrderExchanges1795000000030,
];
