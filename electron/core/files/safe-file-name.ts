const maxUnits = 120;
/** Most file systems take 255 bytes of UTF-8; ` (1000)` and an ending still fit. */
const maxBytes = 220;
const windowsDevices = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d\u00b9\u00b2\u00b3])$/i;

/** A name for a file to be saved, good on every system: from a text that came from anywhere. Ends in `.pdf` where it has no ending. */
export function safeFileName(text: string, otherwise: string): string {
  // Right-to-left overrides and their kind can make `gpj.exe` look like `exe.jpg`.
  const cleaned = text
    .normalize('NFC')
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .replaceAll(/[/\\:*?"<>|]/g, '_')
    .replaceAll(/^[\s.]+|[\s.]+$/g, '');
  const ending = /\.[a-z0-9]{1,8}$/i.exec(cleaned)?.[0] ?? '.pdf';
  const whole = cleaned.endsWith(ending) ? cleaned.slice(0, -ending.length) : cleaned;
  const stem = cutToBytes(cutTo(whole, maxUnits), maxBytes).trimEnd();
  if (stem === '') return otherwise === '' ? `document${ending}` : safeFileName(otherwise, '');
  return (windowsDevices.test(stem.split('.')[0]?.trimEnd() ?? '') ? `_${stem}` : stem) + ending;
}

/** At most so many bytes of UTF-8, whole characters. */
export function cutToBytes(text: string, bytes: number): string {
  let cut = text;
  for (let over = Buffer.byteLength(cut) - bytes; over > 0; over = Buffer.byteLength(cut) - bytes)
    cut = cutTo(cut, cut.length - Math.ceil(over / 3));
  return cut;
}

/** Never leaves half a surrogate pair. */
function cutTo(text: string, units: number): string {
  const cut = text.slice(0, units);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** What any screen can show in full, and more than most file systems take. */
const maxShownLength = 300;

/** The name of a file that came as bytes, as far as it is one: no folders, no control or direction characters. */
export function shownName(given: string): string {
  const last = given.slice(-10_000).split(/[/\\]/).at(-1) ?? '';
  // Direction overrides can make "fdp.exe" look like "exe.pdf"; half a character cannot be shown at all.
  const clean = last.replaceAll(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu, '').trim();
  return clean.slice(0, maxShownLength) || 'file';
}
