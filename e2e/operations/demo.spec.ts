import { apps } from '../../tools/stack/services';
import { DemoStack, startDemoStack } from '../support/demo-stack';
import { OtlpReceiver } from '../support/otlp-receiver';
import { describeMetrics } from './demo/metrics';
import { describeRunbookCommands } from './demo/runbook-commands';
import { describeTrace } from './demo/trace';

jest.setTimeout(240_000);

/** Journeys of operations that need only the demo share one stack, because its start takes longer than most of them. */
describe('the demo', () => {
  let receiver: OtlpReceiver;
  let demo: DemoStack;
  const demoOf = (): DemoStack => demo;

  beforeAll(async () => {
    receiver = await OtlpReceiver.start();
    const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_TRACES_SAMPLER_ARG: '1' };
    demo = await startDemoStack('operations', { env: Object.fromEntries(apps.map((app) => [app, tracing])) });
  });

  afterAll(async () => {
    await demo?.dispose();
    await receiver?.stop();
  });

  describeRunbookCommands(demoOf);
  describeMetrics(demoOf);
  describeTrace(demoOf, () => receiver);
});
