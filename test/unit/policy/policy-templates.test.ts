import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { personalNames, settingNames } from '../../../contract/settings.ts';
import { noPolicy, readPolicy } from '../../../electron/core/settings/read-policy.ts';
import { exampleOf, policyFiles } from '../../../scripts/make-policies.ts';
import { policyProperties } from '../../../scripts/package/msi-project.mjs';
import { selfSigned } from '../../harness/certificate.ts';
import { newKey } from '../../harness/update-feed.ts';

const root = resolve(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const files = await policyFiles();
const template = read('assets/policies/windows/sealdesk.admx');

/** Values of an attribute in all elements of a name. Throws if the text is not well-formed. */
function attributes(xml: string, element: string, attribute: string): string[] {
  const found: string[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes: given }) => {
    if (name === element) found.push(String(given[attribute]));
  });
  parser.write(xml).close();
  return found;
}

describe('what administrators get', () => {
  it.each([...files.keys()])('%s is what the settings make of it', (path) => {
    expect(read(path), 'run: node scripts/make-policies.ts').toBe(files.get(path));
  });

  it('has a property of the MSI for each setting that fits on a command line', () => {
    const tooLong = ['connections', 'extraCa'];
    expect(policyProperties().map(({ name }) => name)).toEqual(settingNames.filter((name) => !tooLong.includes(name)));
    expect(policyProperties()).toContainEqual({ name: 'proxy', property: 'POLICY_PROXY', isText: true });
  });

  it('has no further files', () => {
    const there = globSync('assets/policies/**/*.*', { cwd: root });
    expect(there.map((path) => path.replaceAll('\\', '/')).sort()).toEqual(
      [...files.keys()].filter((path) => path.startsWith('assets/')).sort(),
    );
  });

  it('names every setting in the template, once to be set and once to be recommended where it may be', () => {
    const wanted = [...settingNames, ...personalNames.map((name) => `Recommended_${name}`)];
    expect(attributes(template, 'policy', 'name')).toEqual(wanted);
    for (const name of settingNames) {
      expect(read('assets/policies/macos/sealdesk.mobileconfig')).toContain(`<key>${name}</key>`);
      expect(read('docs/policies.md')).toContain(`| \`${name}\` |`);
    }
  });

  it.each(globSync('assets/policies/windows/*/sealdesk.adml', { cwd: root }))(
    'has every text of the template in %s',
    (path) => {
      const texts = read(path);
      const asked = (kind: string) =>
        [...template.matchAll(new RegExp(`\\$\\(${kind}\\.(\\w+)\\)`, 'g'))].map((match) => match[1]);
      expect(new Set(attributes(texts, 'string', 'id'))).toEqual(new Set(asked('string')));
      expect(attributes(texts, 'presentation', 'id')).toEqual(asked('presentation'));
      const elements = ['decimalTextBox', 'textBox', 'multiTextBox', 'dropdownList'].flatMap((one) =>
        attributes(texts, one, 'refId'),
      );
      const ids = ['decimal', 'text', 'multiText', 'enum'].flatMap((one) =>
        attributes(template, one, 'id').filter((id) => id !== 'undefined'),
      );
      expect(elements.sort()).toEqual(ids.sort());
    },
  );

  it('is a well-formed profile', () => {
    const profile = read('assets/policies/macos/sealdesk.mobileconfig');
    expect(attributes(profile, 'plist', 'version')).toEqual(['1.0']);
  });
});

const pages = `${read('docs/policies.md')}${read('docs/deployment.md')}`;
const examples = [...pages.matchAll(/```json\n([\s\S]*?)```/g)].map((match) => String(match[1]));
const fits = new Ajv2020({ strict: false, validateFormats: false }).compile(
  JSON.parse(read('assets/policies/policy.schema.json')),
);

describe('the examples of the pages', () => {
  it('are there', () => expect(examples.length).toBeGreaterThanOrEqual(4));

  it.each(examples)('are policies without errors: %s', (example) => {
    const policy = JSON.parse(example);
    expect(readPolicy(policy, noPolicy).problems).toEqual([]);
    expect(fits(policy), JSON.stringify(fits.errors)).toBe(true);
  });

  it('of the templates are values of their settings', () => {
    const examples = Object.fromEntries(settingNames.map((name) => [name, exampleOf(name)]));
    // There is no certificate and no key that everybody could copy.
    const { cert: extraCa } = selfSigned({ organisation: 'Office' });
    const all = { ...examples, extraCa, updateKey: newKey().setting };
    expect(readPolicy(all, noPolicy).problems).toEqual([]);
  });
});
