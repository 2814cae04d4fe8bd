import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/*
 * What the MSI does besides electron-builder's own project: Sealdesk under "Open with" for PDF files, as explorer.nsh does for the other installer, and settings of a policy
 * by properties (`msiexec /i … POLICY_UPDATES=0`), for those who have no group policies. electron-builder calls this with the project's file before it is compiled.
 */

const root = resolve(import.meta.dirname, '../..');
const policyKey = 'Software\\Policies\\Sealdesk';

export function msiProjectCreated(path) {
  writeFileSync(path, completed(readFileSync(path, 'utf8')));
}

/** Settings that fit on a command line, as `{ name, property, isText }`. Not lists and texts of several lines. */
export function policyProperties() {
  const schema = JSON.parse(readFileSync(join(root, 'assets/policies/policy.schema.json'), 'utf8'));
  return Object.entries(schema.properties).flatMap(([name, given]) => {
    const forms = formsOf(given).filter(({ type }) => type !== 'null');
    const fits = forms.every(
      ({ type, maxLength = 0 }) => ['string', 'integer', 'boolean'].includes(type) && maxLength < 10_000,
    );
    if (!fits || !/^[a-z][A-Za-z]*$/.test(name)) return [];
    return [{ name, property: `POLICY_${name.toUpperCase()}`, isText: forms.some(({ type }) => type === 'string') }];
  });
}

/** What a schema allows, each form by itself: choices may stand within choices. */
function formsOf(schema) {
  return schema.anyOf?.flatMap(formsOf) ?? [schema];
}

/** The project of electron-builder with ours in it. Throws if it does not look as expected: a newer electron-builder may write it differently. */
export function completed(project) {
  const end = /(?=\n\s*<\/ComponentGroup>)/;
  const start = /(?=\n\s*<Directory Id="TARGETDIR")/;
  if (!end.test(project) || !start.test(project))
    throw new Error('the MSI project of electron-builder is not as expected');
  const policies = policyProperties();
  return project
    .replace(start, `\n${policies.map(({ property }) => `    <Property Id="${property}" Secure="yes"/>`).join('\n')}`)
    .replace(end, `\n${[openWith(), ...policies.map(policyComponent)].join('\n')}`);
}

function openWith() {
  const value = (key, name, text) =>
    `        <RegistryValue Root="HKLM" Key="Software\\Classes\\${key}" ${name ? `Name="${name}" ` : ''}Type="string" Value="${text}"/>`;
  return `      <Component Id="openWith" Guid="${guidOf('openWith')}">
        <RegistryValue Root="HKLM" Key="Software\\Classes\\Sealdesk.Pdf" Type="string" Value="PDF document" KeyPath="yes"/>
${value('Sealdesk.Pdf\\DefaultIcon', '', '[APPLICATIONFOLDER]Sealdesk.exe,0')}
${value('Sealdesk.Pdf\\shell\\open\\command', '', '&quot;[APPLICATIONFOLDER]Sealdesk.exe&quot; &quot;%1&quot;')}
${value('.pdf\\OpenWithProgids', 'Sealdesk.Pdf', '')}
      </Component>`;
}

/** Written only where the property is given, and kept on upgrades and removal: what an administrator has set stays until an administrator removes it. */
function policyComponent({ name, property, isText }) {
  return `      <Component Id="${property}" Guid="${guidOf(property)}" Permanent="yes">
        <Condition>${property}</Condition>
        <RegistryValue Root="HKLM" Key="${policyKey}" Name="${name}" Type="${isText ? 'string' : 'integer'}" Value="[${property}]" KeyPath="yes"/>
      </Component>`;
}

/** Always the same for a component, as Windows Installer wants it. */
function guidOf(name) {
  const hex = createHash('sha256').update(`org.sealdesk.desktop ${name}`).digest('hex').toUpperCase();
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-A${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
