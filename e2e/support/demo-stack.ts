import type { Showcase } from '../../tools/competition/world/showcase';
import { WholeStack, WholeStackOptions, startStackForTest } from '../../tools/stack/whole-stack';

/** The fields of `.stack/stack.json` that tests use. */
export interface StackDescription {
  gateway_url: string;
  sandbox_url: string;
  connect_url: string;
  kafka_brokers: string;
  database_url: string;
  redis_url: string;
  platform: string;
  event_api_key: string;
  organizer_id: string;
  integration_id: string;
  /** The integration with the second partner of the sandbox. */
  strict_integration_id: string;
  linked_user: { user_id: string; platform_user_id: string };
  unlinked_user_token: string;
  user_token: string;
  operator_token: string;
  approver_token: string;
  demo_task: { task_id: string; send: { name: string; attributes: { name: string; value: string }[]; times: number } };
  demo_segment: { segment_id: string; leave: { name: string; attributes: { name: string; value: string }[] } };
  data_api_key: string;
  queue_developer_key: string;
  queue_organizer_key: string;
  competition: Showcase;
  services: Record<string, { url: string; health_url: string; pid: number }>;
}

/** A complete seeded stack of one test. */
export interface DemoStack {
  readonly stack: WholeStack;
  readonly description: StackDescription;
  dispose(): Promise<void>;
}

/** Starts a complete stack with the demo data on free ports. */
export async function startDemoStack(name: string, options: Partial<WholeStackOptions> = {}): Promise<DemoStack> {
  const stack = await startStackForTest(name, options);
  return {
    stack,
    description: stack.describe() as unknown as StackDescription,
    dispose: () => stack.dispose(),
  };
}
