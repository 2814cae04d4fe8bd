const maxUnits = 120;
/** Most file systems allow 255 bytes of UTF-8; the rest is for ` (1000)` and an ending. */
const maxBytes = 220;
const windowsDevices = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d\u00b9\u00b2\u00b3])$/i;

/** A file name that is valid on every system, from an untrusted text. Ends in `.pdf` if the text has no ending. `otherwise`: used if nothing is left of the text. */
export function safeFileName(text: string, otherwise: string): string {
  // Right-to-left overrides and similar characters can make `gpj.exe` look like `exe.jpg`.
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

/** Cuts a text to at most this many bytes of UTF-8, at a character boundary. */
export function cutToBytes(text: string, bytes: number): string {
  let cut = text;
  for (let over = Buffer.byteLength(cut) - bytes; over > 0; over = Buffer.byteLength(cut) - bytes)
    cut = cutTo(cut, cut.length - Math.ceil(over / 3));
  return cut;
}

/** Cuts a text to at most this many UTF-16 units; never leaves half a surrogate pair. */
function cutTo(text: string, units: number): string {
  const cut = text.slice(0, units);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** Longest name that every screen shows in full; more than most file systems allow. */
const maxShownLength = 300;

/** A safe name for showing a file that came as bytes: without folders, control and direction characters. */
export function shownName(given: string): string {
  const last = given.slice(-10_000).split(/[/\\]/).at(-1) ?? '';
  // Direction overrides can make "fdp.exe" look like "exe.pdf"; half a character cannot be shown at all.
  const clean = last.replaceAll(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu, '').trim();
  return clean.slice(0, maxShownLength) || 'file';
}
