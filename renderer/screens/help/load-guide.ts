import { type GuideSection, parseGuide } from './parse-guide.ts';

export interface Guide {
  /** The language it is written in: English where there is no guide in the language of the window. */
  readonly language: string;
  readonly sections: readonly GuideSection[];
}

/** The guides of docs/, each in a file of its own in the built window. */
const sources = import.meta.glob<string>('../../../docs/user-guide*.md', { query: '?raw', import: 'default' });

const pictures = import.meta.glob<string>('../../../docs/screenshots/guide/*/*.webp', {
  query: '?url',
  import: 'default',
  eager: true,
});

/** Loads the guide in a language. */
export async function loadGuide(language: string): Promise<Guide> {
  const own = sources[`../../../docs/user-guide.${language}.md`];
  const english = sources['../../../docs/user-guide.md'];
  const load = own ?? english;
  if (!load) throw new Error('there is no guide');
  return { language: own ? language : 'en', sections: parseGuide(await load()) };
}

/** The address of a picture of the guide, by its address in the Markdown. */
export function pictureAt(path: string): string | undefined {
  return pictures[`../../../docs/${path}`];
}
