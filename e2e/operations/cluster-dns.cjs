// Loaded into a service before its own code (node --require): names that the file CLUSTER_DNS_FILE has resolve to the
// addresses there, as a cluster's DNS answers for a headless Service. All else goes to the system.
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
