/**
 * Returns the address in the form that may be given to the system's browser or mail program, or null. Only https and
 * mailto without user or password are allowed: anything else (file:, javascript:, custom schemes of other programs)
 * could run a program.
 */
export function browserAddress(text: string): string | null {
  if (text.length > 2000 || /[\s\u0000-\u001F\u007F]/.test(text)) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'mailto:')) return null;
  return url.username === '' && url.password === '' ? url.href : null;
}
