let etag: string | null = null; // keep this and the contract between runs

for (let run = 1; run <= 2; run++) {
  const response: Response = await fetch('https://address.podium.invalid/cdp/v1/contract', {
    headers: {
      authorization: `Bearer ${process.env.PODIUM_EVENT_KEY}`,
      ...(etag ? { 'if-none-match': etag } : {}),
    },
  });
  etag = response.headers.get('etag') ?? etag;
  // 304: the contract has not changed, and there is no body.
  console.log(response.status, await response.text());
}

export {};
