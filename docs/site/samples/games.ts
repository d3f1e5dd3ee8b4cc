const response = await fetch('https://address.podium.invalid/data/v4/games?limit=5', {
  headers: { authorization: `Bearer ${process.env.PODIUM_DATA_KEY}` },
});
console.log(response.status, await response.text());

export {};
