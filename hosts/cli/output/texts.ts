import { loadTexts } from '../../../locales/load-texts.ts';

/** The texts of the command line: English only, as people and scripts read them. */
export const t = await loadTexts('en', 'command-line');
