import type { PracticePort } from '../../electron/core/foundation/ports.ts';
import { startPractice } from '../../practice/practice-service.ts';

/** Starts the practice service in this process. `keepIn` is the folder of its data; without it, the core chooses. */
export function practicePort(assetsDir: string, keepIn?: string): PracticePort {
  return { start: (dataDir) => startPractice({ dataDir: keepIn ?? dataDir, assetsDir }) };
}
