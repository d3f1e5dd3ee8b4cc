const response = await fetch('https://address.podium.invalid/cdp/v1/users/events/validate', {
  method: 'POST',
  headers: {
    authorization: `Bearer ${process.env.PODIUM_EVENT_KEY}`,
    'content-type': 'application/json',
  },
  body: JSON.stringify({
    platform: 'your-platform-name',
    platform_user_id: 'user-1',
    event: { id: 'deposit-93f1', name: 'deposit', created_at: 1767225600, attributes: [] },
  }),
});
console.log(response.status, await response.text());

export {};
