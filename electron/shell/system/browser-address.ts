/**
 * The address in the spelling that may be given to the system's browser or mail program, or null. Only https and mailto, and no
 * user or password in it: anything else (file:, javascript:, custom schemes of other programs) is a way to run something.
 */
export function browserAddress(text: string): string | null {
  if (text.length > 2000 || /[\s\u0000-\u001F\u007F]/.test(text)) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'mailto:')) return null;
  return url.username === '' && url.password === '' ? url.href : null;
}
