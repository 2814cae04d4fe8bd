/** What any screen can show in full, and more than most file systems take. */
const maxLength = 300;

/** The name of a file that came as bytes, as far as it is one: no folders, no control or direction characters. */
export function shownName(given: string): string {
  const last = given.slice(-10_000).split(/[/\\]/).at(-1) ?? '';
  // Direction overrides can make "fdp.exe" look like "exe.pdf"; half a character cannot be shown at all.
  const clean = last.replaceAll(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu, '').trim();
  return clean.slice(0, maxLength) || 'file';
}
