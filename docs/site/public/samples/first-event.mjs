// node first-event.mjs PLATFORM USER, with your event key in PODIUM_EVENT_KEY
import { randomUUID } from 'node:crypto';
import { PodiumClient } from '@podium/partner';

const [platform, platformUserId] = process.argv.slice(2);
const podium = await PodiumClient.open({
  url: 'https://address.podium.invalid',
  apiKey: process.env.PODIUM_EVENT_KEY,
  platform,
});
try {
  const event = { id: randomUUID(), platformUserId, name: 'deposit', createdAt: new Date() };
  console.log(await podium.send({ ...event, attributes: { amount: '25.00', currency: 'EUR' } }));
} catch (error) {
  console.error(error.code, error.message, error.docsUrl ?? '');
  process.exitCode = 1;
} finally {
  await podium.close();
}
