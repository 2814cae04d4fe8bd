import type { Preferences } from '../../contract/app.ts';
import { preferenceTable } from '../../contract/settings.ts';

/** The preferences of a new installation. */
export const defaultPreferences = Object.fromEntries(
  Object.entries(preferenceTable).map(([name, { builtIn }]) => [name, builtIn]),
) as unknown as Preferences;
