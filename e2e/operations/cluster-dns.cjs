// Preloaded into a service (node --require): resolves the names in the file CLUSTER_DNS_FILE to the addresses there, as a
// cluster's DNS does for a headless Service. Other names go to the system's resolver.
const dns = require('node:dns');
const { readFileSync } = require('node:fs');

const system = dns.lookup;
const systemPromise = dns.promises.lookup;

function known(hostname) {
  const addresses = JSON.parse(readFileSync(process.env.CLUSTER_DNS_FILE, 'utf8'))[hostname];
  return addresses?.map((address) => ({ address, family: 4 }));
}

dns.lookup = (hostname, ...rest) => {
  const found = known(hostname);
  if (!found) return system(hostname, ...rest);
  const callback = rest.at(-1);
  process.nextTick(() => (rest[0]?.all ? callback(null, found) : callback(null, found[0].address, found[0].family)));
};

dns.promises.lookup = async (hostname, options) => {
  const found = known(hostname);
  if (!found) return systemPromise(hostname, options);
  return options?.all ? found : found[0];
};
