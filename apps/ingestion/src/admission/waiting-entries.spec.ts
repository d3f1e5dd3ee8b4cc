import { AdmissionWorld, event, pairs } from '../../test/admission-world';
import { bytesHeldAfter } from '../../test/held-bytes';

describe('Counts and lists that wait for Postgres', () => {
  const events = 250;
  const filler = 'x'.repeat(60_000);

  it.each([
    ['events that are not negotiated', { name: 'an-event-name-of-number-' }],
    ['events of users who are not linked', { user: 'a-stranger-of-number-' }],
    ['attributes that are left out', { attribute: 'an-attribute-of-number-' }],
  ] as const)('keep names of %s without the bodies that they came with', async (_what, sent) => {
    const world = new AdmissionWorld();
    const held = await bytesHeldAfter(async () => {
      for (let at = 0; at < events; at++)
        await world.send(
          event({
            id: `an-event-with-the-id-${at}`,
            ...('name' in sent && { name: sent.name + at }),
            ...('user' in sent && { user: sent.user + at }),
            attributes: pairs(`filler=${filler}`, `${'attribute' in sent ? sent.attribute : 'other-'}${at}=1`),
          }),
        );
      world.published.length = 0;
    });
    const kept = [world.refusedEvents, world.refusals, world.drift].map((entries) => entries.take().length);
    expect(Math.max(...kept)).toBeGreaterThanOrEqual(200);
    expect(held).toBeLessThan((events * filler.length) / 4);
  });
});
