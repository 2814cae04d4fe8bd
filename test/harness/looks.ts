import type { Preferences } from '../../contract/app.ts';
import { atLength } from './test-length.ts';

/** How a window is looked at: what a person prefers, and the room there is. */
export interface Look {
  readonly theme: Preferences['theme'];
  readonly language: string;
  /** The system's own high contrast. */
  readonly forcedColours: boolean;
  /** Of the window's content, in pixels of the screen. */
  readonly size: readonly [width: number, height: number];
  readonly zoom: number;
}

export const usual: Look = { theme: 'light', language: 'en', forcedColours: false, size: [1280, 800], zoom: 1 };

/** The same in other looks, by name. */
export const looks: Readonly<Record<string, Partial<Look>>> = {
  light: {},
  dark: { theme: 'dark' },
  'high-contrast': { theme: 'contrast' },
  'forced-colours': { forcedColours: true },
  arabic: { language: 'ar' },
  small: { size: [720, 600] },
  'small-arabic': { language: 'ar', size: [720, 600] },
  '200-percent': { zoom: 2 },
  '200-percent-small': { size: [720, 600], zoom: 2 },
};

/** Themes in which a story is examined on its way: colours are also compared by numbers (contrast.test.ts), and every place is looked at in all themes at full length. */
export const examinedThemes = atLength<readonly ('light' | 'dark')[]>({ short: ['light'], all: ['light', 'dark'] });

/** The looks with least room: most of what is cut anywhere is cut here. */
const narrowest: readonly string[] = ['small-arabic', '200-percent-small'];

/** Looks of the place with this number, by name: one of the narrowest, and of every fourth place one of the others, so that neighbours together have many; all at full length. */
export function looksOf(place: number): readonly (readonly [string, Partial<Look>])[] {
  const all = Object.entries(looks);
  const narrow = all.filter(([name]) => narrowest.includes(name));
  const others = all.filter(([name]) => !narrowest.includes(name));
  const turn = <One>(from: readonly One[]) => from.slice(place % from.length).slice(0, 1);
  return atLength({ short: [...turn(narrow), ...(place % 4 === 0 ? turn(others) : [])], all });
}
