import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogSetting, leveledLog } from '../../electron/core/foundation/log-level.ts';
import { traceOf } from '../../electron/core/foundation/unexpected.ts';
import { createLogFile } from '../../electron/host-kit/log-file.ts';

describe('the level of the log', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('lets through what is as important, and what is more so', () => {
    const written: string[] = [];
    const write = (message: string) => void written.push(message);
    const setting = createLogSetting(() => undefined);
    const log = leveledLog({ debug: write, info: write, warn: write, error: write }, () => setting.state().level);
    const all = () => {
      for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level](level);
      return written.splice(0);
    };
    expect(all()).toEqual(['info', 'warn', 'error']);
    setting.set('error');
    expect(all()).toEqual(['error']);
    setting.set('debug');
    expect(all()).toEqual(['debug', 'info', 'warn', 'error']);
  });

  it('goes back to the usual one after a day, counted from the last choice', () => {
    const seen: string[] = [];
    const setting = createLogSetting(() => seen.push(setting.state().level));
    setting.set('debug');
    vi.advanceTimersByTime(20 * 3600_000);
    setting.set('warn');
    expect(setting.state().until).toBe(new Date(Date.now() + 24 * 3600_000).toISOString());
    vi.advanceTimersByTime(20 * 3600_000);
    expect(setting.state().level).toBe('warn');
    vi.advanceTimersByTime(4 * 3600_000);
    expect(setting.state()).toEqual({ level: 'info', until: null });
    expect(seen).toEqual(['debug', 'warn', 'info']);
  });
});

it('keeps the time and the message of a line beside the trace of an error, and whatever its fields are called', () => {
  const folder = mkdtempSync(join(tmpdir(), 'log-'));
  const file = join(folder, 'sealdesk.log');
  try {
    const log = createLogFile(file);
    log.error('unexpected', traceOf(new TypeError('a text of a library')));
    log.info('written', { at: 'the door', level: 'none', message: 'another' });
    const [first, second] = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
    const frames = expect.arrayContaining([expect.stringContaining('at ')]);
    expect(first).toEqual({ at, level: 'error', message: 'unexpected', error: 'TypeError', code: null, frames });
    expect(second).toEqual({ at, level: 'info', message: 'written' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
