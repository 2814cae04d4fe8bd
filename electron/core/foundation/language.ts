/** Languages of what the core writes for people: reports, receipts, tables, notifications. */
export type Language = 'en' | 'de';

/** `preference`: as in the settings; `system` takes that of the system. English where a language has no texts. */
export function languageOf(preference: string): Language {
  const tag = preference === 'system' ? new Intl.DateTimeFormat().resolvedOptions().locale : preference;
  return /^de\b/i.test(tag) ? 'de' : 'en';
}
