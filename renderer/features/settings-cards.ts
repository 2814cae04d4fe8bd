/** The parts of Settings: the palette finds them, and opens one with the focus in it. */
export const settingsCards = [
  'theme',
  'language',
  'notifications',
  'tray',
  'work',
  'takeBack',
  'refresh',
  'addressBook',
  'updates',
  'diagnostics',
  'storage',
] as const;
export type SettingsCard = (typeof settingsCards)[number];

/** The mark of a part, by which it is found. */
export const cardMark = (name: SettingsCard) => ({ 'data-setting': name });

/** The first control of a setting's part, or the part; null until it is drawn. */
export function findCardControl(name: string): HTMLElement | null {
  const card = document.querySelector<HTMLElement>(`main [data-setting="${CSS.escape(name)}"]`);
  return card?.querySelector<HTMLElement>('input:checked, input, button') ?? card;
}
