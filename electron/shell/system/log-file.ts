import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Log } from '../../core/foundation/ports.ts';

/** Largest size of one log file in bytes. There are two at most: the current one and the one before. */
const largestBytes = 1024 * 1024;
const longestText = 500;
const longestLine = 8_000;

/**
 * Fields with these names are never written, whatever they hold: a last protection in case code breaks the rule not
 * to log secrets.
 */
const secretName = /api_?key|api_?sig|secret|token|password|credential/i;

/**
 * A log with one JSON object per line, mode 0600. Each line is written at once, so that the last line before a crash
 * is there; lines are rare and short. If the log cannot be written, the program continues without it.
 */
export function createLogFile(file: string): Log {
  const write = (level: 'info' | 'error', message: string, fields: Readonly<Record<string, unknown>> = {}) => {
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > largestBytes) renameSync(file, `${file}.old`);
      appendFileSync(file, `${logLine(level, message, fields)}\n`, { mode: 0o600 });
    } catch {
      // The program continues without the log.
    }
  };
  return {
    info: (message, fields) => write('info', message, fields),
    error: (message, fields) => write('error', message, fields),
  };
}

/** Formats one line: limited in length, without line breaks, without fields whose name says that they are secret. */
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
