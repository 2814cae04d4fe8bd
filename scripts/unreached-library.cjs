/*
 * Stands for a library that node-soap requires and the program never uses (scripts/unreached-libraries.ts). Requiring it does nothing; using it throws, so that a
 * change which reaches it is noticed at once.
 */
const standIn = new Proxy(() => undefined, {
  get: (_library, name) => {
    // What module loaders ask of any module.
    if (name === '__esModule') return true;
    if (typeof name === 'symbol' || name === 'then' || name === 'default' || name === 'prototype') return undefined;
    throw new Error(`${name} is of a library that is left out of Sealdesk (scripts/unreached-libraries.ts)`);
  },
});
module.exports = standIn;
