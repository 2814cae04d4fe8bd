import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Log } from '../../core/foundation/ports.ts';

/** Two files of this size at most: the one being written and the one before. */
const largestBytes = 1024 * 1024;
const longestText = 500;
const longestLine = 8_000;

/** Fields of these names are never written, whatever is in them: a last net below the rule not to log secrets. */
const secretName = /api_?key|api_?sig|secret|token|password|credential/i;

/**
 * A log of one JSON object a line, mode 0600. Written at once, so that the last line before a crash is there; lines are rare and short.
 * A log that cannot be written is no reason to stop: it is silent then.
 */
export function createLogFile(file: string): Log {
  const write = (level: 'info' | 'error', message: string, fields: Readonly<Record<string, unknown>> = {}) => {
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > largestBytes) renameSync(file, `${file}.old`);
      appendFileSync(file, `${logLine(level, message, fields)}\n`, { mode: 0o600 });
    } catch {
      // See above.
    }
  };
  return {
    info: (message, fields) => write('info', message, fields),
    error: (message, fields) => write('error', message, fields),
  };
}

/** One line: bounded, without line breaks, without fields whose name says that they are secret. */
export function logLine(level: string, message: string, fields: Readonly<Record<string, unknown>>): string {
  const shown = JSON.stringify({ at: new Date().toISOString(), level, message, ...fields }, (name, value) => {
    if (secretName.test(name)) return '[left out]';
    if (typeof value === 'string' && value.length > longestText) return `${value.slice(0, longestText)}…`;
    return typeof value === 'bigint' ? String(value) : value;
  });
  return shown.length <= longestLine
    ? shown
    : JSON.stringify({ level, message: message.slice(0, longestText), cut: true });
}
