import { describeCompetitionReads } from './demo/competition-reads';
import { describeConnect } from './demo/connect';
import { describeEventToAward } from './demo/event-to-award';
import { describeFirstEvent } from './demo/first-event';
import { describeInputs } from './demo/inputs';
import { describeLargeReads } from './demo/large-reads';
import { describePartnerIsolation } from './demo/partner-isolation';
import { describePartnerSdk } from './demo/partner-sdk';
import { describePartnerSdkPython } from './demo/partner-sdk-python';
import { describeSandboxPartners } from './demo/sandbox-partners';
import { DemoStack, startDemoStack } from './support/demo-stack';

jest.setTimeout(420_000);

/** Tests that need only the demo share one stack, because its start takes as long as some of them. */
describe('the demo', () => {
  let demo: DemoStack;
  const demoOf = (): DemoStack => demo;

  beforeAll(async () => {
    demo = await startDemoStack('demo');
  });

  afterAll(async () => {
    await demo?.dispose();
  });

  describeEventToAward(demoOf);
  describePartnerSdk(demoOf);
  describePartnerSdkPython(demoOf);
  describeFirstEvent(demoOf);
  describePartnerIsolation(demoOf);
  describeConnect(demoOf);
  describeSandboxPartners(demoOf);
  describeCompetitionReads(demoOf);
  describeLargeReads(demoOf);
  describeInputs(demoOf);
});
