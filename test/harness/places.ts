import type { Page } from 'playwright-core';

type Role = 'button' | 'row' | 'menuitem' | 'radio';

/** One thing a person does. `text`: from the catalogue, in English; `values` of its placeholders. `data`: a name that is in no catalogue. */
type Step =
  | {
      readonly press: Role;
      readonly text: string;
      readonly values?: Readonly<Record<string, string>>;
      /** The name goes on after the text. */
      readonly starts?: boolean;
      /** The first of several, else the last. */
      readonly first?: boolean;
    }
  | { readonly press: Role; readonly data: RegExp }
  | { readonly fill: 'textbox' | 'combobox'; readonly text: string; readonly with: string }
  /** Into the field that has the focus. */
  | { readonly type: string; readonly key?: string };

type RailName = 'Start' | 'Activity' | 'Documents' | 'Signatures' | 'Verify' | 'Notes' | 'Connections' | 'Settings';

/** A screen, dialog or menu, and the way to it from the rail of a window that was filled (`fillWindow`). */
export interface Place {
  /** Unique; names the file of its snapshot. */
  readonly name: string;
  readonly kind: 'screen' | 'dialog' | 'menu';
  readonly rail: RailName;
  readonly steps: readonly Step[];
}

const button = (
  text: string,
  values: Readonly<Record<string, string>> = {},
): Extract<Step, { text: string; press: Role }> => ({
  press: 'button',
  text,
  values,
});
const item = (text: string): Step => ({ press: 'menuitem', text });
const data = (press: Role, name: RegExp): Step => ({ press, data: name });
const fill = (role: 'textbox' | 'combobox', text: string, value: string): Step => ({
  fill: role,
  text,
  with: value,
});

const samples = button('Use sample documents');
const toRegister = [samples, button('Register {{count}} documents', { count: '2' })];
const newRequest = button('New request');
const fromTemplate = [
  newRequest,
  { press: 'radio', text: 'Template' },
  fill('combobox', 'Template', 'TPL-1002'),
  fill('textbox', 'Document name', 'Lease 2027'),
] as const satisfies readonly Step[];

type Row = readonly [name: string, ...steps: Step[]];
const at = (rail: RailName, kind: Place['kind'], rows: readonly Row[]): readonly Place[] =>
  rows.map(([name, ...steps]) => ({ name, kind, rail, steps }));

/** Every screen, dialog and menu that a person can open without a failure. A new one is one more row. */
export const places: readonly Place[] = [
  ...at('Activity', 'screen', [
    ['activity'],
    ['activity-batch', data('button', /Lease 2027.*1/)],
    ['activity-history', data('button', /Lease 2027.*1/), button('History')],
  ]),
  ...at('Documents', 'screen', [['documents'], ['documents-selected', data('row', /Annex B/)]]),
  ...at('Documents', 'dialog', [
    ['documents-check-receipt', button('Check receipt…')],
    ['documents-open-by-id', button('Open by ID…')],
  ]),
  ...at('Documents', 'menu', [
    ['documents-filters', button('Filters')],
    ['documents-columns', button('Columns')],
    ['documents-views', button('Views')],
  ]),
  ...at('Signatures', 'screen', [
    ['signatures'],
    ['signatures-person', data('row', /^Lease 2027/)],
    ['signatures-changes', button('Views'), item('Recent changes')],
    ['signatures-due', button('Views'), item('Due dates')],
    ['signatures-lists', button('Views'), item('Service’s lists')],
    ['answers', button('Filters'), button('Assign meanings…')],
    ['compose', newRequest],
    ['compose-template', ...fromTemplate],
    [
      'compose-review',
      ...fromTemplate,
      button('Add signer'),
      { type: 'Ana Petrov', key: 'Tab' },
      { type: 'ana@example.com' },
      button('Review and send…'),
    ],
    ['bulk', ...fromTemplate, button('Bulk send…')],
  ]),
  ...at('Signatures', 'dialog', [
    ['signatures-export', button('Export…')],
    ['signatures-auto-refresh', button('Auto-refresh…')],
    ['signatures-save-view', button('Views'), item('Save view…')],
    ['compose-paste', newRequest, button('Paste list…')],
    ['compose-address-book', newRequest, button('Address book…')],
    ['compose-drafts', newRequest, { press: 'button', text: 'Drafts', starts: true }],
    ['compose-presets', newRequest, button('Presets…')],
    ['compose-templates', ...fromTemplate, button('My templates…')],
  ]),
  ...at('Signatures', 'menu', [
    ['signatures-filters', button('Filters')],
    ['signatures-days', button('Sent when')],
    ['signatures-views', button('Views')],
  ]),
  ...at('Verify', 'screen', [
    ['verify'],
    ['verify-results', button('Open')],
    ['verify-disagree', button('Open'), button('Details')],
    ['verify-origin', button('Open'), { ...button('Details'), first: true }],
  ]),
  ...at('Verify', 'dialog', [
    ['verify-password', { ...button('Open'), first: true }, button('Details'), button('Enter password…')],
    ['verify-reporter', button('Open'), button('Save report…'), { press: 'menuitem', text: 'Name in reports…' }],
  ]),
  ...at('Notes', 'screen', [['notes']]),
  ...at('Notes', 'dialog', [['notes-confirm', fill('textbox', 'Message', 'Note'), button('Send note…')]]),
  ...at('Connections', 'screen', [
    ['connections'],
    ['connections-edit', button('Edit…')],
    ['connections-add', button('Add connection…')],
  ]),
  ...at('Connections', 'dialog', [['connections-invitation', button('Use invitation…')]]),
  ...at('Connections', 'menu', [['connections-more', button('More')]]),
  ...at('Connections', 'dialog', [
    ['connections-check', button('Check connection…')],
    ['connections-service', button('More'), { press: 'menuitem', text: 'Service…' }],
  ]),
  ...at('Settings', 'screen', [['settings']]),
  ...at('Settings', 'dialog', [
    ['settings-reset', button('Reset settings…')],
    ['settings-address-book', button('Address book…')],
  ]),
  ...at('Start', 'screen', [['start'], ['register', button('Register')]]),
  ...at('Start', 'dialog', [
    ['find', button('Find…')],
    ['help', button('Help')],
    ['tasks', button('Nothing running')],
  ]),
  ...at('Start', 'menu', [['connection-menu', { press: 'button', text: 'Connection:', starts: true }]]),
  // From here on files are selected.
  ...at('Start', 'screen', [
    ['start-files', samples],
    ['register-files', ...toRegister.slice(1)],
  ]),
  ...at('Start', 'dialog', [
    ['register-confirm', ...toRegister.slice(1), button('Register {{count}} documents…', { count: '2' })],
  ]),
];

/** Every so many of the places from a first on, and the one in which the files are selected that those after it need. */
export const everyFew = (some: readonly Place[], every: number, first = 0) =>
  some.filter(({ name }, index) => index % every === first || name === 'start-files');

/** Translates a text of the catalogue into the language of the window. */
type Say = (english: string) => string;

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

function nameOf(step: Exclude<Step, { readonly type: string }>, say: Say): string | RegExp {
  if ('data' in step) return step.data;
  const values = 'values' in step ? Object.entries(step.values ?? {}) : [];
  const text = values.reduce((name, [key, value]) => name.replace(`{{${key}}}`, value), say(step.text));
  // In the pseudo-locale a text ends with its lengthening and a bracket, which a beginning does not have.
  return 'starts' in step && step.starts ? new RegExp(`^${escaped(text.replace(/~*⟧$/, ''))}`) : text;
}

const overTheScreen = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

/** Closes what lies over the screen, and puts the pointer where it marks nothing. */
async function closeAll(page: Page): Promise<void> {
  const over = page.locator(overTheScreen);
  for (let tries = 0; tries < 5 && (await over.count()) > 0; tries += 1) {
    await page.keyboard.press('Escape');
    await page.waitForTimeout(60);
  }
  await page.mouse.move(0, 0);
}

/** A dialog or menu is seen: it waits for a keyboard on the screen where one may come, after a window became smaller. */
async function untilOver(page: Page, { kind }: Place): Promise<void> {
  if (kind === 'screen') return;
  await page.waitForFunction(
    (selector) =>
      [...document.querySelectorAll(selector)].some((one) => one.checkVisibility({ opacityProperty: true })),
    overTheScreen,
  );
}

/** Opens a place anew, from the rail on. */
export async function openPlace(page: Page, place: Place, say: Say = (text) => text): Promise<void> {
  await closeAll(page);
  const rail = page.locator('nav').first();
  const toScreen = (name: RailName) => rail.getByRole('button', { name: new RegExp(`^${escaped(say(name))}`) }).click();
  // Through another screen: the screen that is shown would keep its state.
  await toScreen(place.rail === 'Notes' ? 'Settings' : 'Notes');
  await toScreen(place.rail);
  for (const step of place.steps) await take(page, step, say);
  await untilOver(page, place);
  // The end of a check is what is looked at, not how far it was.
  await page.getByRole('progressbar').first().waitFor({ state: 'detached' });
  await page.getByText(say('Loading…'), { exact: true }).first().waitFor({ state: 'detached' });
  await page.waitForTimeout(150);
}

async function take(page: Page, step: Step, say: Say): Promise<void> {
  if ('type' in step) {
    await page.keyboard.type(step.type);
    if (step.key) await page.keyboard.press(step.key);
    return;
  }
  const name = nameOf(step, say);
  const role = 'fill' in step ? step.fill : step.press;
  const all = page.getByRole(role, { name, exact: true });
  const one = 'first' in step && step.first ? all.first() : all.last();
  if ('fill' in step) {
    await one.fill(step.with);
    // Closes suggestions.
    return page.keyboard.press('Tab');
  }
  await one.waitFor();
  await one.click({ force: step.press === 'radio' });
}
