/**
 * Writes what administrators need, from the table of settings (contract/settings.ts): templates of group policies, a configuration profile, a schema of
 * policy.json, and the table in docs/policies.md. Run after a change: `node scripts/make-policies.ts` (Node 24).
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { type Language, languageTags } from '../contract/languages.ts';
import {
  type PersonalName,
  personalNames,
  type SettingName,
  settingNames,
  settingTable,
} from '../contract/settings.ts';
import { loadTexts } from '../locales/load-texts.ts';

const root = resolve(import.meta.dirname, '..');
const key = 'Software\\Policies\\Sealdesk';
const bundleId = 'org.sealdesk.desktop';
/** Folders of group policies are named by language and country. */
const cultures: Readonly<Record<Language, string>> = {
  en: 'en-US',
  de: 'de-DE',
  fr: 'fr-FR',
  es: 'es-ES',
  ar: 'ar-SA',
};

/** How a setting is entered. */
type Form =
  | { readonly kind: 'switch' | 'text' | 'lines' | 'list' }
  | { readonly kind: 'number'; readonly min: number; readonly max: number }
  | { readonly kind: 'choice'; readonly values: readonly string[] };

interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly anyOf?: readonly JsonSchema[];
}

/** By the schema alone, so that a new setting needs nothing here. A text in which any language may stand offers those that there are. */
function formOf(name: SettingName): Form {
  if (name === 'language') return { kind: 'choice', values: ['system', ...languageTags] };
  const whole = z.toJSONSchema(settingTable[name].schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const schema = whole.anyOf?.find(({ type }) => type !== 'null') ?? whole;
  if (schema.type === 'boolean') return { kind: 'switch' };
  if (schema.type === 'integer') return { kind: 'number', min: schema.minimum ?? 0, max: schema.maximum ?? 0 };
  if (schema.type === 'array') return { kind: 'list' };
  if (schema.enum) return { kind: 'choice', values: schema.enum };
  return { kind: (schema.maxLength ?? 0) > 10_000 ? 'lines' : 'text' };
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const refOf = (name: string, isRecommended: boolean) => (isRecommended ? `Recommended_${name}` : name);

/** Every policy of the templates: all settings to be set, and the personal ones to be recommended too. */
const entries: readonly { readonly name: SettingName; readonly isRecommended: boolean }[] = [
  ...settingNames.map((name) => ({ name, isRecommended: false })),
  ...personalNames.map((name) => ({ name, isRecommended: true })),
];

/** The template of group policies, without texts. */
function admx(): string {
  const policies = entries.map(({ name, isRecommended }) => {
    const ref = refOf(name, isRecommended);
    const form = formOf(name);
    const path = isRecommended ? `${key}\\Recommended` : key;
    const attributes = [
      `name="${ref}" class="Both" displayName="$(string.${ref})" explainText="$(string.${ref}_Help)"`,
      form.kind === 'switch' ? '' : ` presentation="$(presentation.${ref})"`,
      ` key="${path}"${form.kind === 'switch' ? ` valueName="${name}"` : ''}`,
    ].join('');
    return `    <policy ${attributes}>
      <parentCategory ref="${isRecommended ? 'Recommended' : 'Sealdesk'}" />
      <supportedOn ref="SUPPORTED" />
${valuesOf(name, form)}
    </policy>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<policyDefinitions revision="1.0" schemaVersion="1.0" xmlns="http://schemas.microsoft.com/GroupPolicy/2006/07/PolicyDefinitions">
  <policyNamespaces>
    <target prefix="sealdesk" namespace="Sealdesk.Policies" />
  </policyNamespaces>
  <resources minRequiredRevision="1.0" />
  <supportedOn>
    <definitions>
      <definition name="SUPPORTED" displayName="$(string.SUPPORTED)" />
    </definitions>
  </supportedOn>
  <categories>
    <category name="Sealdesk" displayName="$(string.Category)" />
    <category name="Recommended" displayName="$(string.Category_Recommended)">
      <parentCategory ref="Sealdesk" />
    </category>
  </categories>
  <policies>
${policies.join('\n')}
  </policies>
</policyDefinitions>
`;
}

function valuesOf(name: SettingName, form: Form): string {
  const id = `id="${name}" valueName="${name}"`;
  switch (form.kind) {
    case 'switch':
      return '      <enabledValue><decimal value="1" /></enabledValue>\n      <disabledValue><decimal value="0" /></disabledValue>';
    case 'number':
      return elements(`<decimal ${id} required="true" minValue="${form.min}" maxValue="${form.max}" />`);
    case 'text':
      return elements(`<text ${id} required="true" maxLength="2000" />`);
    case 'lines':
    case 'list':
      return elements(`<multiText ${id} required="true" maxLength="200000" />`);
    case 'choice':
      return elements(
        `<enum ${id} required="true">
${form.values.map((value) => `          <item displayName="$(string.Value_${value})"><value><string>${value}</string></value></item>`).join('\n')}
        </enum>`,
      );
  }
}

const elements = (inner: string) => `      <elements>\n        ${inner}\n      </elements>`;

/** The texts of the template in one language. Values are shown as they are written in policy.json. */
async function adml(language: Language): Promise<string> {
  const t = await loadTexts(language, 'policies');
  const values = new Set(settingNames.map(formOf).flatMap((form) => (form.kind === 'choice' ? form.values : [])));
  const strings: readonly (readonly [string, string])[] = [
    ['SUPPORTED', t('supported')],
    ['Category', t('category')],
    ['Category_Recommended', t('recommended')],
    ...[...values].map((value) => [`Value_${value}`, value] as const),
    ...entries.flatMap(({ name, isRecommended }) => {
      const ref = refOf(name, isRecommended);
      const effect = isRecommended ? t('explainRecommended') : t('explain');
      return [
        [ref, t(`settings.${name}.name`)],
        [`${ref}_Help`, `${t(`settings.${name}.help`)}\n\n${effect}`],
      ] as const;
    }),
  ];
  const presentations = entries.flatMap(({ name, isRecommended }) => {
    const shown = presentationOf(name, escaped(t(`settings.${name}.name`)));
    return shown === null ? [] : [`      <presentation id="${refOf(name, isRecommended)}">${shown}</presentation>`];
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<policyDefinitionResources revision="1.0" schemaVersion="1.0" xmlns="http://schemas.microsoft.com/GroupPolicy/2006/07/PolicyDefinitions">
  <displayName>Sealdesk</displayName>
  <description>Sealdesk</description>
  <resources>
    <stringTable>
${strings.map(([id, text]) => `      <string id="${id}">${escaped(text)}</string>`).join('\n')}
    </stringTable>
    <presentationTable>
${presentations.join('\n')}
    </presentationTable>
  </resources>
</policyDefinitionResources>
`;
}

function presentationOf(name: SettingName, label: string): string | null {
  switch (formOf(name).kind) {
    case 'switch':
      return null;
    case 'number':
      return `<decimalTextBox refId="${name}" defaultValue="${settingTable[name].builtIn ?? 1}">${label}</decimalTextBox>`;
    case 'text':
      return `<textBox refId="${name}"><label>${label}</label></textBox>`;
    case 'lines':
    case 'list':
      return `<multiTextBox refId="${name}" />`;
    case 'choice':
      return `<dropdownList refId="${name}" noSort="true">${label}</dropdownList>`;
  }
}

/** An example of each setting: what is built in, else something that can be written there. */
export function exampleOf(name: SettingName): unknown {
  const form = formOf(name);
  const examples: Partial<Record<SettingName, unknown>> = {
    proxy: 'http://proxy.example:3128',
    extraCa: '-----BEGIN CERTIFICATE-----',
    updateFeed: 'https://updates.example/sealdesk',
    trustedCertificates: '/etc/sealdesk/certificates',
    trustList: '/etc/sealdesk/trust-lists.json',
  };
  return examples[name] ?? settingTable[name].builtIn ?? (form.kind === 'number' ? form.max : '');
}

function plistValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? '<true/>' : '<false/>';
  if (typeof value === 'number') return `<integer>${value}</integer>`;
  if (Array.isArray(value)) return '<array/>';
  return `<string>${escaped(String(value))}</string>`;
}

const plistEntry = (name: SettingName) => `<key>${name}</key>${plistValue(exampleOf(name))}`;
const recommendation = (name: PersonalName) => `<key>${name}</key>${plistValue(settingTable[name].builtIn)}`;

/** A configuration profile that recommends what is built in. What it could set stands in it as a comment. */
async function mobileconfig(): Promise<string> {
  const t = await loadTexts('en', 'policies');
  // Two hyphens would end the comment.
  const inComment = (text: string) => text.replace(/-(?=-)/g, '- ');
  const settable = settingNames.map((name) => `      ${inComment(plistEntry(name))}  (${t(`settings.${name}.help`)})`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>PayloadType</key><string>Configuration</string>
  <key>PayloadVersion</key><integer>1</integer>
  <key>PayloadIdentifier</key><string>${bundleId}.policies</string>
  <key>PayloadUUID</key><string>5B0C7E0A-6E1B-4E8C-9B43-6F4F2B4C7A10</string>
  <key>PayloadDisplayName</key><string>Sealdesk</string>
  <key>PayloadScope</key><string>System</string>
  <key>PayloadContent</key>
  <array>
    <dict>
      <key>PayloadType</key><string>${bundleId}</string>
      <key>PayloadVersion</key><integer>1</integer>
      <key>PayloadIdentifier</key><string>${bundleId}.policies.settings</string>
      <key>PayloadUUID</key><string>0E6D3C58-2F7A-4E0E-8C8B-9A7F5D1E2B64</string>
      <key>PayloadDisplayName</key><string>Sealdesk</string>
      <!-- Move out of this comment what people must not change:
${settable.join('\n')}
      -->
      <key>recommended</key>
      <dict>
${personalNames.map((name) => `        ${recommendation(name)}`).join('\n')}
      </dict>
    </dict>
  </array>
</dict>
</plist>
`;
}

function jsonSchema(): string {
  const shapeOf = (names: readonly SettingName[]) =>
    Object.fromEntries(names.map((name) => [name, settingTable[name].schema.optional()]));
  const policy = z.strictObject({
    $schema: z.string().optional(),
    ...shapeOf(settingNames),
    recommended: z.strictObject(shapeOf(personalNames)).optional(),
  });
  return `${JSON.stringify({ title: 'Sealdesk policy', ...z.toJSONSchema(policy, { io: 'input', unrepresentable: 'any' }) }, null, 2)}\n`;
}

const [begin, end] = ['<!-- settings: written by scripts/make-policies.ts -->', '<!-- end of settings -->'];

/** The page with its table of all settings. */
async function page(): Promise<string> {
  const t = await loadTexts('en', 'policies');
  const rows = settingNames.map((name) => {
    const form = formOf(name);
    const what =
      form.kind === 'choice'
        ? form.values.map((value) => `\`${value}\``).join(', ')
        : form.kind === 'number'
          ? `${form.min} to ${form.max}`
          : { switch: '`true` or `false`', text: 'text', lines: 'text', list: 'list' }[form.kind];
    const { builtIn } = settingTable[name];
    const isPersonal = personalNames.some((one) => one === name);
    const shown = builtIn === null ? 'not set' : `\`${JSON.stringify(builtIn)}\``;
    return `| \`${name}\` | ${t(`settings.${name}.help`)} | ${what} | ${shown} | ${isPersonal ? 'yes' : 'no'} |`;
  });
  const table = [
    '| setting | what it does | values | without a policy | can be recommended |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ];
  const text = await readFile(join(root, 'docs/policies.md'), 'utf8');
  const [before = '', rest = ''] = text.split(begin);
  return `${before}${begin}\n${table.join('\n')}\n${end}${rest.split(end)[1] ?? ''}`;
}

/** All files by their paths in the repository. */
export async function policyFiles(): Promise<ReadonlyMap<string, string>> {
  const folder = 'assets/policies';
  return new Map([
    [`${folder}/windows/sealdesk.admx`, admx()],
    ...(await Promise.all(
      languageTags.map(
        async (language) => [`${folder}/windows/${cultures[language]}/sealdesk.adml`, await adml(language)] as const,
      ),
    )),
    [`${folder}/macos/sealdesk.mobileconfig`, await mobileconfig()],
    [`${folder}/policy.schema.json`, jsonSchema()],
    ['docs/policies.md', await page()],
  ]);
}

if (process.argv[1] === import.meta.filename) {
  for (const [path, text] of await policyFiles()) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}
