import { addressesOf } from './address';

describe('addressesOf', () => {
  it.each([
    ['https://events.example', ''],
    ['https://events.example//', ''],
    ['https://events.example//cdp/v1/users/events/send', ''],
    ['https://events.example/cdp/v1/users/events/send//', ''],
    ['https://events.example/podium//cdp/v1/users/events/send', '/podium'],
    ['https://events.example//podium/', '//podium'],
    [' https://events.example/a b#y\n', '/a%20b'],
  ])('stays at the host of %j, to which alone the key belongs', (url, prefix) => {
    const { send, batch, status, docsUrl } = addressesOf(url);
    expect([send, batch, status].map(({ href }) => href)).toEqual(
      ['send', 'batch', 'status'].map((name) => `https://events.example${prefix}/cdp/v1/users/events/${name}`),
    );
    expect(docsUrl).toBe(`https://events.example${prefix}/docs/errors`);
  });

  it('has the query of the address, which a gateway may need, in requests and not in links of errors', () => {
    const { send, refusals, docsUrl } = addressesOf('https://events.example/podium?tenant=a b&k=%2F#top');
    const below = 'https://events.example/podium';
    expect(send.href).toBe(`${below}/cdp/v1/users/events/send?tenant=a%20b&k=%2F`);
    expect(refusals.href).toBe(`${below}/cdp/v1/refusals?tenant=a%20b&k=%2F`);
    expect(docsUrl).toBe(`${below}/docs/errors`);
  });
});
