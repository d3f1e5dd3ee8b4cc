import { addressesOf } from './address';

describe('addressesOf', () => {
  it.each([
    ['https://events.example', ''],
    ['https://events.example//', ''],
    ['https://events.example//cdp/v1/users/events/send', ''],
    ['https://events.example/cdp/v1/users/events/send//', ''],
    ['https://events.example/podium//cdp/v1/users/events/send', '/podium'],
    ['https://events.example//podium/', '//podium'],
    [' https://events.example/a b?x#y\n', '/a%20b'],
  ])('stays at the host of %j, to which alone the key belongs', (url, prefix) => {
    const { send, batch, status, docsUrl } = addressesOf(url);
    expect([send, batch, status].map(({ href }) => href)).toEqual(
      ['send', 'batch', 'status'].map((name) => `https://events.example${prefix}/cdp/v1/users/events/${name}`),
    );
    expect(docsUrl).toBe(`https://events.example${prefix}/docs/errors`);
  });
});
