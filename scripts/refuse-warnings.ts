import type { Plugin } from 'vite';

interface Said {
  readonly code?: string;
  readonly message: string;
}

/** Libraries mark what is not for a server: in the window nothing is. On a busy machine a part of the build always takes long. */
const unimportant: readonly (string | undefined)[] = ['MODULE_LEVEL_DIRECTIVE', 'PLUGIN_TIMINGS'];

/** For the bundler's `onLog`: a build that warns of something fails, so that nobody gets used to it. */
export function refuseWarnings(level: string, { code, message }: Said): void {
  if (level === 'warn' && !unimportant.includes(code)) throw new Error(message);
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
