import type { Plugin } from 'vite';

interface Said {
  readonly code?: string;
  readonly message: string;
}

/** For the bundler's `onLog`: a build that warns of something fails, so that nobody gets used to it. */
export function refuseWarnings(level: string, { code, message }: Said): void {
  // Libraries mark what is not for a server: in the window nothing is.
  if (level === 'warn' && code !== 'MODULE_LEVEL_DIRECTIVE') throw new Error(message);
}

/** The same for what Vite itself warns of, for example about styles. */
export function refuseViteWarnings(): Plugin {
  return {
    name: 'refuse-vite-warnings',
    configResolved({ logger }) {
      logger.warn = logger.warnOnce = (message) => {
        throw new Error(message);
      };
    },
  };
}
