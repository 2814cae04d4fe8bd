import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { LeveledLog, LogFields } from '../core/foundation/ports.ts';
import { redactingLog } from '../core/foundation/redactor.ts';

/** Largest size of one log file in bytes. There are two at most: the current one and the one before (`.old`). */
const largestBytes = 1024 * 1024;
const longestText = 500;
const longestLine = 8_000;

/**
 * A log with one JSON object per line, mode 0600. Each line is written at once, so that the last line before a crash
 * is there. If the log cannot be written, the program continues without it. What its lines call a secret is left out
 * here; the core removes the secrets that it knows.
 */
export function createLogFile(file: string): LeveledLog {
  const write =
    (level: keyof LeveledLog) =>
    (message: string, fields: LogFields = {}) => {
      try {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
        if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > largestBytes) renameSync(file, `${file}.old`);
        appendFileSync(file, `${logLine(level, message, fields)}\n`, { mode: 0o600 });
      } catch {
        // The program continues without the log.
      }
    };
  const log: LeveledLog = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  return redactingLog(log, (text) => text);
}

/** One line: limited in length, without line breaks. */
function logLine(level: string, message: string, fields: LogFields): string {
  const own = { at: new Date().toISOString(), level, message };
  // No field takes the place of these.
  const line = JSON.stringify({ ...own, ...fields, ...own }, (_name, value) => {
    if (typeof value === 'string' && value.length > longestText) return `${value.slice(0, longestText)}…`;
    return typeof value === 'bigint' ? String(value) : value;
  });
  return line.length <= longestLine
    ? line
    : JSON.stringify({ ...own, message: message.slice(0, longestText), cut: true });
}
