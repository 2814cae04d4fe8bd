import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Log } from '../../electron/core/foundation/ports.ts';

/** Two files of this size are the most that a log takes. */
const maxBytes = 2 * 1024 * 1024;

/**
 * A log of one JSON object a line, readable by its owner only. When the file is full it becomes `<path>.old`. A log that cannot be
 * written never stops the program.
 */
export function fileLog(path: string): Log {
  const write = (level: string, message: string, fields: Readonly<Record<string, unknown>> = {}) => {
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      if (sizeOf(path) > maxBytes) renameSync(path, `${path}.old`);
      const line = JSON.stringify({ at: new Date().toISOString(), level, message, ...fields });
      appendFileSync(path, `${line}\n`, { mode: 0o600 });
    } catch {
      // A full disk or a missing folder: the work itself reports that, where it matters.
    }
  };
  return {
    info: (message, fields) => write('info', message, fields),
    error: (message, fields) => write('error', message, fields),
  };
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
