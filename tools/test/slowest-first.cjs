const fs = require('node:fs');
const path = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');
const slowFiles = require('./slow-files.json');

const checkout = path.join(__dirname, '../..');

/**
 * Starts the listed files first, in their order, so that none of them runs alone at the end. All others come in jest's own
 * order, which without a cache is that of their sizes. A listed file that does not exist is an error.
 */
module.exports = class SlowestFirst extends Sequencer {
  constructor(options, listed = slowFiles) {
    super(options);
    this.listed = listed.map((file) => path.join(checkout, file));
    const missing = listed.filter((_file, at) => !fs.existsSync(this.listed[at]));
    if (missing.length > 0)
      throw new Error(`tools/test/slow-files.json names ${missing.join(', ')}, which do not exist: correct the list.`);
  }

  sort(tests) {
    const others = super.sort(tests);
    const slow = this.listed.flatMap((file) => others.filter((test) => test.path === file));
    return [...slow, ...others.filter((test) => !slow.includes(test))];
  }
};
