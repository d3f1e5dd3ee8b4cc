const event = (id: string, user: string, createdAt: number) => ({
  platform: 'your-platform-name',
  platform_user_id: user,
  event: { id, name: 'deposit', created_at: createdAt, attributes: [] },
});
const response = await fetch('https://address.podium.invalid/cdp/v1/users/events/batch', {
  method: 'POST',
  headers: {
    authorization: `Bearer ${process.env.PODIUM_EVENT_KEY}`,
    'content-type': 'application/json',
  },
  body: JSON.stringify({
    events: [event('deposit-93f1', 'user-1', 1767225600), event('deposit-93f2', 'user-2', 1767225601)],
  }),
});
// 207: read the result of each event.
console.log(response.status, await response.text());

export {};
