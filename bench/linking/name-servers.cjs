// Preloaded into linkage: its resolvers ask the name server of the benchmark, as on a machine whose resolv.conf names it.
// Everything else of the lookup is linkage's own. The hosts file and the system's lookup are not affected.
const promises = require('node:dns/promises');

const { Resolver } = promises;

promises.Resolver = class extends Resolver {
  constructor(options) {
    super(options);
    this.setServers([process.env.BENCH_NAME_SERVER]);
  }
};
