import { type LogLevel, type LogState, logLevels } from '../../../contract/diagnostics.ts';
import type { LeveledLog } from './ports.ts';

/** Time after which another level than the usual one ends by itself, in ms: a person forgets it, and a detailed log pushes out what happened before. */
const lastsMs = 24 * 3600_000;
const usual: LogState = { level: 'info', until: null };

/** How much is written to the log in this run. Kept in memory only: a restart sets it back. */
export type LogSetting = ReturnType<typeof createLogSetting>;

/** `onChange` is called after each change, also when a level ends by itself. */
export function createLogSetting(onChange: () => void) {
  let current = usual;
  let end: NodeJS.Timeout | undefined;
  const change = (next: LogState) => {
    clearTimeout(end);
    current = next;
    onChange();
  };
  return {
    state: (): LogState => current,
    set: (level: LogLevel) => {
      if (level === usual.level) return change(usual);
      change({ level, until: new Date(Date.now() + lastsMs).toISOString() });
      end = setTimeout(() => change(usual), lastsMs).unref();
    },
  };
}

/** The same log without lines that are less important than the level in force. */
export function leveledLog(log: LeveledLog, level: () => LogLevel): LeveledLog {
  const write =
    (name: LogLevel): LeveledLog['info'] =>
    (message, fields) => {
      if (logLevels.indexOf(name) <= logLevels.indexOf(level())) log[name](message, fields);
    };
  return { error: write('error'), warn: write('warn'), info: write('info'), debug: write('debug') };
}
