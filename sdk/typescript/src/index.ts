export { PodiumClient, type ClientStats } from './client/podium-client';
export type { PodiumClientOptions, QueueOptions } from './client/client-options';
export { sdkVersion } from './client/version';
export type { PartnerEvent } from './api/partner-event';
export type { AcceptedEvent, EventResult, EventWarning, FailedEvent } from './api/parse-answer';
export type { Notice, NoticeListener } from './notices/notice';
export type { RetryClass } from './errors/retry-class';
export {
  PodiumError,
  RefusedError,
  RetryLaterError,
  SendingPausedError,
  TemporaryError,
  RateLimitedError,
  NoAnswerError,
  QueueError,
  type SdkErrorCode,
} from './errors/podium-error';
