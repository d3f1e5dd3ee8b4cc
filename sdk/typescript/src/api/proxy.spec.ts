import { proxyFor, proxyOf } from './proxy';

describe('the address of a proxy', () => {
  it('has a host and a port, and a user with a password for the proxy alone', () => {
    expect(proxyOf('http://proxy.example:3128')).toEqual({ host: 'proxy.example', port: 3128 });
    expect(proxyOf('proxy.example:3128')).toEqual({ host: 'proxy.example', port: 3128 });
    expect(proxyOf('http://[::1]/')).toEqual({ host: '::1', port: 80 });
    const authorization = `Basic ${Buffer.from('ada:p@ss:word').toString('base64')}`;
    expect(proxyOf('http://ada:p%40ss:word@proxy.example')).toMatchObject({ port: 80, authorization });
  });

  it.each([undefined, '', ' '])('is none when it is %j', (address) => expect(proxyOf(address)).toBeUndefined());

  it.each([
    'https://u:canary@proxy.example',
    'socks5://u:canary@proxy.example',
    'http://u:canary%ff@x',
    'http://u:canary@:',
  ])('is refused without its password: %s', (address) => {
    expect(() => proxyOf(address)).toThrow(/^proxy is not an address such as/);
    expect(() => proxyOf(address)).not.toThrow(/canary/);
  });

  it.each([
    ['https://events.example', {}, false],
    ['https://events.example', { HTTPS_PROXY: 'http://p:1' }, true],
    ['https://events.example', { https_proxy: 'p:1' }, true],
    ['http://127.0.0.1:7400', { HTTPS_PROXY: 'http://p:1' }, false],
    ['https://events.example', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '*' }, false],
    ['https://events.example', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'localhost, Events.Example' }, false],
    ['https://events.example', { HTTPS_PROXY: 'http://p:1', no_proxy: '.example' }, false],
    ['https://events.example', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '*.example:443' }, false],
    ['https://events.example', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'events.example:8443' }, true],
    ['https://events.example', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'vents.example,,' }, true],
    ['https://[2001:db8::1]', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '2001:DB8:0::1' }, false],
    ['https://[2001:db8::1]', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '[2001:db8::1]' }, false],
    ['https://[2001:db8::1]:8443', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'x,[2001:db8::0:1]:8443' }, false],
    ['https://[2001:db8::1]:8443', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '[2001:db8::1]:443' }, true],
    ['https://[2001:db8::1:443]', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '2001:db8::1' }, true],
    ['https://[2001:db8::1]', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '::1,[::1' }, true],
  ])('is in the environment: for %s in %j: %s', (address, env, isProxied) => {
    expect(proxyFor(new URL(address), env) !== undefined).toBe(isProxied);
  });
});
