const response = await fetch('https://address.podium.invalid/cdp/v1/refusals?limit=10', {
  headers: { authorization: `Bearer ${process.env.PODIUM_EVENT_KEY}` },
});
console.log(response.status, await response.text());

export {};
