const maxUnits = 120;
const windowsDevices = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** A name for a file to be saved, good on every system: from a text that came from anywhere. Ends in `.pdf` where it has no ending. */
export function safeFileName(text: string, otherwise: string): string {
  // Right-to-left overrides and their kind can make `gpj.exe` look like `exe.jpg`.
  const cleaned = text
    .normalize('NFC')
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .replaceAll(/[/\\:*?"<>|]/g, '_')
    .replaceAll(/^[\s.]+|[\s.]+$/g, '');
  const ending = /\.[a-z0-9]{1,8}$/i.exec(cleaned)?.[0] ?? '.pdf';
  const stem = cutTo(cleaned.endsWith(ending) ? cleaned.slice(0, -ending.length) : cleaned, maxUnits).trimEnd();
  if (stem === '') return otherwise === '' ? `document${ending}` : safeFileName(otherwise, '');
  return (windowsDevices.test(stem.split('.')[0] ?? '') ? `_${stem}` : stem) + ending;
}

/** Never leaves half a surrogate pair. */
function cutTo(text: string, units: number): string {
  const cut = text.slice(0, units);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}
