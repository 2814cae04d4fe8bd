/** BCP 47 tags of the system's languages for hosts without Electron: the language that the environment names. */
export function systemLanguages(): readonly string[] {
  return [new Intl.DateTimeFormat().resolvedOptions().locale];
}
