import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { AppInfo, ChosenPreferences } from '../../../contract/app.ts';
import type { CallParsed, Handlers } from '../../../contract/index.ts';
import { toStorageError } from '../foundation/fs-errors.ts';
import type { Notices } from './notices.ts';
import type { SettingsFile } from './settings-file.ts';

const licences = z.array(z.object({ name: z.string(), version: z.string(), licence: z.string(), text: z.string() }));

interface Needs {
  readonly info: () => AppInfo;
  readonly settings: SettingsFile;
  readonly notices: Notices;
  readonly licencesFile: string;
  /** Sets what the settings screen shows besides the preferences to its defaults. */
  readonly resetOthers: () => void;
}

/** Calls about the program itself: version, preferences, notices. */
export function appCalls({
  info,
  settings,
  notices,
  licencesFile,
  resetOthers,
}: Needs): Pick<
  Handlers,
  'app.info' | 'app.setPreferences' | 'app.resetPreferences' | 'app.offerTour' | 'app.licences' | 'app.dismissNotice'
> {
  return {
    'app.info': async () => info(),
    'app.setPreferences': async (change) => {
      await settings.change(withoutAbsent(change));
      return null;
    },
    'app.resetPreferences': async () => {
      await settings.reset();
      resetOthers();
      return null;
    },
    'app.offerTour': () => settings.offerTour(),
    'app.licences': async () => {
      const text = await readFile(licencesFile, 'utf8').catch((error: unknown) => {
        throw toStorageError(error, 'the licences cannot be read');
      });
      return licences.parse(JSON.parse(text));
    },
    'app.dismissNotice': async ({ id }) => {
      notices.dismiss(id);
      return null;
    },
  };
}

/** A given `undefined` must not take the place of a value. */
function withoutAbsent(change: CallParsed<'app.setPreferences'>): ChosenPreferences {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}
