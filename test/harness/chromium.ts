// Chromium's own sandbox needs a user that is not root.
const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

/** Switches of every Chromium that tests start: no graphics card, and nothing that it fetches by itself. */
export const chromiumSwitches: readonly string[] = [
  ...asRoot,
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
