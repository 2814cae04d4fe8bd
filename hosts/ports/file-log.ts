import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Log } from '../../electron/core/foundation/ports.ts';

/** Largest size of one log file in bytes. There are two at most. */
const maxBytes = 2 * 1024 * 1024;

/**
 * A log with one JSON object per line, readable by its owner only. A full file is renamed to `<path>.old`. If the log
 * cannot be written, the program continues without it.
 */
export function fileLog(path: string): Log {
  const write = (level: string, message: string, fields: Readonly<Record<string, unknown>> = {}) => {
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      if (sizeOf(path) > maxBytes) renameSync(path, `${path}.old`);
      const line = JSON.stringify({ at: new Date().toISOString(), level, message, ...fields });
      appendFileSync(path, `${line}\n`, { mode: 0o600 });
    } catch {
      // A full disk or a missing folder is reported by the work itself where it matters.
    }
  };
  return {
    info: (message, fields) => write('info', message, fields),
    error: (message, fields) => write('error', message, fields),
  };
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
