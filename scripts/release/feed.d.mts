/** Writes lists and signatures for the packages of one version; answers the names of the lists. `key`: PEM. */
export function writeFeed(
  folder: string,
  options: {
    readonly version: string;
    readonly key: string;
    readonly staging?: number;
    readonly days?: number;
    readonly now?: number;
  },
): string[];

/** The share of computers that update first, in per cent, as it is typed; undefined for all. Throws on anything else than a whole number from 0 to 100. */
export function shareOf(typed: string | undefined): number | undefined;

/** How many days the lists hold, as it is typed; undefined for the usual number. Throws on anything else than a whole number from 1 to 730. */
export function daysOf(typed: string | undefined): number | undefined;
