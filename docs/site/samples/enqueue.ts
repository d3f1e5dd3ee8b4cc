import { PodiumClient } from '@podium/partner';

const podium = await PodiumClient.open({
  url: 'https://address.podium.invalid',
  apiKey: () => process.env.PODIUM_EVENT_KEY ?? '',
  platform: 'your-platform-name',
  queue: { folder: '/var/lib/my-shop/podium-events' },
});
await podium.enqueue({
  id: 'deposit-93f1',
  platformUserId: 'user-1',
  name: 'deposit',
  createdAt: new Date(),
});
await podium.close();
