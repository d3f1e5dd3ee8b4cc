import { FlowStep, flowSteps } from '../activity/flow-steps';
import { PartnerActivity } from '../activity/partner-activity';
import { LinkFailureReason } from './link-outcome';
import { PartnerErrorCode } from '@podium/partner-check/protocol/partner-error-code';

/** How far a flow has come since its partner's redirect; counts each step once, with its time. */
export class FlowProgress {
  private awaited: FlowStep = 'returned';
  private sinceMs = performance.now();

  constructor(
    private readonly activity: PartnerActivity,
    private readonly integrationId: string,
  ) {}

  /** The user came back with a code; `ms` is their time at the partner. */
  returned(ms: number): void {
    this.activity.passed(this.integrationId, 'returned', Math.max(0, ms));
    this.await('returned');
  }

  /** A request to the partner brought the flow past a step. */
  passed(step: 'exchanged' | 'identified'): void {
    this.activity.passed(this.integrationId, step, performance.now() - this.sinceMs);
    this.await(step);
  }

  /** The flow did not pass the step that it waited for. */
  failed(reason: LinkFailureReason | 'error', partnerCode?: PartnerErrorCode): void {
    this.activity.failed(this.integrationId, this.awaited, reason, partnerCode);
  }

  private await(passed: FlowStep): void {
    this.awaited = flowSteps[flowSteps.indexOf(passed) + 1];
    this.sinceMs = performance.now();
  }
}
