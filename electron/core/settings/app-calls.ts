import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import type { AppInfo, ChosenPreferences, Notice } from '../../../contract/app.ts';
import type { Connection } from '../../../contract/connections.ts';
import type { SupportReport } from '../../../contract/diagnostics.ts';
import { fieldReasons } from '../../../contract/failure.ts';
import type { CallParsed, Handlers, HandlersOf } from '../../../contract/index.ts';
import type { ReplyRemark } from '../../soap/service/client.ts';
import type { Store } from '../../store/store.ts';
import { chooseTarget, saveFile } from '../files/target.ts';
import { appError } from '../foundation/app-error.ts';
import { toStorageError } from '../foundation/fs-errors.ts';
import type { LogSetting } from '../foundation/log-level.ts';
import type { Ports } from '../foundation/ports.ts';
import type { Removals } from '../foundation/removals.ts';
import type { SettingsFile } from './settings-file.ts';
import { type ReportSources, supportName, supportTexts, supportZip } from './support-texts.ts';

const licences = z.array(z.object({ name: z.string(), version: z.string(), licence: z.string(), text: z.string() }));

interface Needs {
  readonly info: () => AppInfo;
  readonly settings: SettingsFile;
  readonly notices: Notices;
  readonly ports: Pick<Ports, 'licencesFile'>;
}

/** Calls about the program itself: version, preferences, notices. `resetOthers` sets what the settings screen shows besides the preferences to its defaults. */
export function appCalls(
  { info, settings, notices, ports }: Needs,
  resetOthers: () => void,
): Pick<
  Handlers,
  'app.info' | 'app.setPreferences' | 'app.resetPreferences' | 'app.offerTour' | 'app.licences' | 'app.dismissNotice'
> {
  return {
    'app.info': async () => info(),
    'app.setPreferences': (change) => settings.change(withoutAbsent(change)),
    'app.resetPreferences': async () => {
      await settings.reset();
      resetOthers();
    },
    'app.offerTour': () => settings.offerTour(),
    'app.licences': async () => {
      const text = await readFile(ports.licencesFile, 'utf8').catch((error: unknown) => {
        throw toStorageError(error, 'the licences cannot be read');
      });
      return licences.parse(JSON.parse(text));
    },
    'app.dismissNotice': async ({ id }) => notices.dismiss(id),
  };
}

/** A given `undefined` must not take the place of a value. */
function withoutAbsent(change: CallParsed<'app.setPreferences'>): ChosenPreferences {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}

/** Calls that make a report for support, save the one that was looked at, and set how much is logged. */
export function diagnosticsCalls(
  sources: ReportSources,
  { dialogs }: Pick<Ports, 'dialogs'>,
  log: Pick<LogSetting, 'set'>,
): HandlersOf<'diagnostics'> {
  let last: SupportReport | null = null;
  return {
    'diagnostics.report': async () => {
      last = { id: randomUUID(), files: await supportTexts(sources) };
      return last;
    },
    'diagnostics.save': async ({ id }) => {
      if (last?.id !== id) throw appError('not-found', 'there is a newer report');
      const report = last;
      const now = new Date();
      const target = await chooseTarget(dialogs, `${supportName(now)}.zip`);
      return target && { fileName: basename(await saveFile(target, [await supportZip(report, now)])) };
    },
    'diagnostics.setLogLevel': async ({ level }) => log.set(level),
  };
}

/** Failures that happened outside of any call, kept until the person dismisses them. */
export type Notices = ReturnType<typeof createNotices>;

/** `onChange` is called after each change. */
export function createNotices(onChange: () => void) {
  let notices: readonly Notice[] = [];
  const addedKinds = new Set<Notice['kind']>();
  const onDismiss = new Set<(notice: Notice) => void>();
  const add = (kind: Notice['kind'], fileName: string | null) => {
    addedKinds.add(kind);
    notices = [...notices, { id: randomUUID(), kind, fileName }];
    onChange();
  };
  return {
    all: (): readonly Notice[] => notices,
    /** Called with each notice that is dismissed. */
    onDismiss,
    add,
    /** Adds at most one notice of this kind per run, for a failure that does not end by itself. */
    addOnce: (kind: Notice['kind']) => {
      if (!addedKinds.has(kind)) add(kind, null);
    },
    dismiss: (id: string) => {
      const dismissed = notices.find((notice) => notice.id === id);
      if (!dismissed) return;
      notices = notices.filter((notice) => notice !== dismissed);
      for (const listener of onDismiss) listener(dismissed);
      onChange();
    },
  };
}

/** Takes what was odd about replies: one notice for each operation of a connection and run, because a service answers alike each time. */
export function replyRemarks({ add }: Pick<Notices, 'add'>): (connection: Connection, remark: ReplyRemark) => void {
  const told = new Set<string>();
  return ({ id, name: connection }, { kind, operation, name }) => {
    const key = `${kind} ${operation} ${id}`;
    if (told.has(key)) return;
    told.add(key);
    add(kind, [connection, operation, ...(name === undefined ? [] : [name])].join(' – '));
  };
}

/** Calls about saved views and the last layout of each screen. */
export function viewCalls(views: Store['views'], removals: Removals): HandlersOf<'views'> {
  return {
    'views.state': async ({ screen }) => views.state(screen),
    'views.save': async ({ screen, ...view }) => {
      if (!views.save(screen, view))
        throw appError('bad-input', 'another view has this name', { fields: { name: fieldReasons.isTaken } });
      return views.state(screen);
    },
    'views.remove': async ({ screen, id }) => {
      // No event tells of views: whoever removes one or puts it back reads them again.
      return removals.keep(views.remove(screen, id), () => undefined);
    },
    'views.keepLayout': async ({ screen, layout }) => views.keepLayout(screen, layout),
  };
}
