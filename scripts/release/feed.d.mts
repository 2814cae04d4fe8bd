/** Writes lists and signatures for the packages of one version; answers the names of the lists. `key`: PEM. */
export function writeFeed(
  folder: string,
  options: { readonly version: string; readonly key: string; readonly staging?: number },
): string[];
