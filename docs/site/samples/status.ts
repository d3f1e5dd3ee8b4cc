const address = new URL('https://address.podium.invalid/cdp/v1/users/events/status');
address.searchParams.set('id', 'deposit-93f1');
const response = await fetch(address, { headers: { authorization: `Bearer ${process.env.PODIUM_EVENT_KEY}` } });
console.log(response.status, await response.text());

export {};
