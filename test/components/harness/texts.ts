import type { i18n } from 'i18next';
import { languageTags } from '../../../contract/languages.ts';
import { createTexts } from '../../../renderer/app/i18n.ts';

/** Tags of all languages of the window. */
export const tags: readonly string[] = languageTags;

// Before the first test, so that a piece can be drawn at once.
const loaded = new Map<string, i18n>();
for (const tag of tags) loaded.set(tag, await createTexts(tag, [tag]));

/** The window's texts in one language. */
export function textsIn(tag: string): i18n {
  const texts = loaded.get(tag);
  if (!texts) throw new Error(`there are no texts in ${tag}`);
  return texts;
}
