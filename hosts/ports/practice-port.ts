import type { PracticePort } from '../../electron/core/foundation/ports.ts';

/** Starts the practice service in this process. `keepIn` is the folder of its data; without it, the core chooses. */
export function practicePort(assetsDir: string, keepIn?: string): PracticePort {
  return {
    start: async (dataDir) => {
      // Loaded when it is first used.
      const { startPractice } = await import('../../practice/practice-service.ts');
      return startPractice({ dataDir: keepIn ?? dataDir, assetsDir });
    },
  };
}
