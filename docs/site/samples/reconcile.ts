const response = await fetch('https://address.podium.invalid/cdp/v1/users/events/reconcile', {
  method: 'POST',
  headers: {
    authorization: `Bearer ${process.env.PODIUM_EVENT_KEY}`,
    'content-type': 'application/json',
  },
  body: JSON.stringify({ ids: ['deposit-93f1', 'deposit-93f2'] }),
});
console.log(response.status, await response.text());

export {};
