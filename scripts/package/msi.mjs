import { spawnSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { policyProperties } from './msi-project.mjs';
import { buildStandIn } from './msi-stand-in.mjs';
import { missingTool } from './tools.mjs';

/** Windows finds the version before by it: it never changes. */
const upgradeCode = '{A4D7FA7A-441F-503C-83B4-AAF21C15A773}';

/** What an MSI of this folder holds and does, by its project and by its tables. */
export function checkMsi(unpacked, output) {
  const missing = missingTool('wixl', 'msiinfo', 'msiextract');
  const folder = join(output, 'msi');
  let built = null;
  const step = (name, work) => [name, () => missing ?? (built || !work.needsBuilt ? work() : 'no MSI was built')];
  const onBuilt = (work) => Object.assign(() => work(built), { needsBuilt: true });
  return [
    step('an MSI is built to look at (the Linux program stands in)', async () => {
      rmSync(folder, { recursive: true, force: true });
      built = await buildStandIn(unpacked, folder);
    }),
    step(
      'the MSI is for all of a machine, replaces older versions and refuses to replace newer ones',
      onBuilt(checkUpgrade),
    ),
    step('the MSI puts the program in the start menu and under “Open with”, and is no default', onBuilt(checkExplorer)),
    step('the MSI takes settings of a policy as properties', onBuilt(checkPolicies)),
    step('the MSI holds every file of the program, byte for byte', onBuilt(checkFiles)),
  ];
}

/** Rows of a table, each as an object by the names of its columns. */
function tableOf({ path }, name) {
  const run = spawnSync('msiinfo', ['export', path, name], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const [head = '', , , ...rows] = run.stdout.split(/\r?\n/);
  const columns = head.split('\t');
  return rows
    .filter((row) => row !== '')
    .map((row) => Object.fromEntries(row.split('\t').map((cell, at) => [columns[at], cell])));
}

function assert(isTrue, text) {
  if (!isTrue) throw new Error(text);
}

function checkUpgrade(built) {
  const properties = Object.fromEntries(tableOf(built, 'Property').map((row) => [row.Property, row.Value]));
  assert(properties.ALLUSERS === '1', 'it is not for all persons of a machine');
  assert(properties.UpgradeCode === upgradeCode, `the upgrade code is ${properties.UpgradeCode}`);
  const upgrades = tableOf(built, 'Upgrade');
  assert(
    upgrades.length === 2 && upgrades.every((row) => row.UpgradeCode === upgradeCode),
    'it does not look for other versions',
  );
  const actions = tableOf(built, 'InstallExecuteSequence');
  assert(
    actions.some(({ Action }) => Action === 'RemoveExistingProducts'),
    'it does not remove the version before',
  );
  const conditions = tableOf(built, 'LaunchCondition');
  assert(
    conditions.some(({ Condition }) => /DOWNGRADE/.test(Condition)),
    'it replaces a newer version',
  );
  assert(/<MajorUpgrade AllowSameVersionUpgrades="yes"/.test(built.project), 'it installs the same version twice');
  assert(tableOf(built, 'CustomAction').length === 0, 'it runs something of its own');
  const folders = tableOf(built, 'Directory');
  assert(
    folders.some((row) => row.Directory === 'APPLICATIONFOLDER' && row.Directory_Parent === 'ProgramFiles64Folder'),
    'it is not below Program Files',
  );
}

function checkExplorer(built) {
  const shortcuts = tableOf(built, 'Shortcut');
  assert(
    shortcuts.length === 1 && shortcuts[0].Directory_ === 'ProgramMenuFolder',
    `shortcuts: ${JSON.stringify(shortcuts)}`,
  );
  assert(
    built.project.includes('<ShortcutProperty Key="System.AppUserModel.ID" Value="org.sealdesk.desktop"/>'),
    'the shortcut has no application ID',
  );
  const rows = tableOf(built, 'Registry').filter(({ Component_ }) => Component_ === 'openWith');
  const command = rows.find(({ Key }) => Key.endsWith('\\shell\\open\\command'));
  assert(command?.Value === '"[APPLICATIONFOLDER]Sealdesk.exe" "%1"', `the command is ${command?.Value}`);
  const pdf = rows.filter(({ Key }) => Key.startsWith('Software\\Classes\\.pdf'));
  assert(
    pdf.length === 1 && pdf[0].Key.endsWith('OpenWithProgids') && pdf[0].Name === 'Sealdesk.Pdf',
    'it changes more of .pdf than “Open with”',
  );
  assert(
    rows.every(({ Root }) => Root === '2'),
    'it writes for one person',
  );
}

function checkPolicies(built) {
  const rows = tableOf(built, 'Registry').filter(({ Key }) => Key === 'Software\\Policies\\Sealdesk');
  const settings = policyProperties();
  assert(
    settings.length > 15 && rows.length === settings.length,
    `${rows.length} values for ${settings.length} settings`,
  );
  for (const { name, property, isText } of settings) {
    const row = rows.find((one) => one.Name === name);
    assert(row?.Value === `${isText ? '' : '#'}[${property}]`, `${name}: ${row?.Value}`);
    // wixl knows neither: they are looked at in the project that WiX compiles.
    assert(
      built.project.includes(`<Property Id="${property}" Secure="yes"/>`),
      `${property} does not reach an elevated installer`,
    );
    const component = new RegExp(
      `<Component Id="${property}" Guid="[-0-9A-F]{36}" Permanent="yes">\\s*<Condition>${property}</Condition>`,
    );
    assert(component.test(built.project), `${property} is written although it is not given, or is removed`);
  }
}

function checkFiles(built) {
  const extracted = mkdtempSync(join(tmpdir(), 'sealdesk-msi-'));
  try {
    const run = spawnSync('msiextract', ['-C', extracted, built.path], { maxBuffer: 64 * 1024 * 1024 });
    assert(run.status === 0, `msiextract: ${run.stderr}`);
    const given = filesOf(built.payload);
    const top = filesOf(extracted)
      .find((path) => path.endsWith('/Sealdesk.exe'))
      ?.slice(0, -'/Sealdesk.exe'.length);
    assert(top !== undefined, 'Sealdesk.exe is not in it');
    const got = new Set(filesOf(join(extracted, top)));
    for (const path of given) {
      assert(got.delete(path), `${path} is not in it`);
      const same = readFileSync(join(built.payload, path)).equals(readFileSync(join(extracted, top, path)));
      assert(same, `${path} has other bytes`);
    }
    assert(got.size === 0, `also in it: ${[...got].join(', ')}`);
  } finally {
    rmSync(extracted, { recursive: true, force: true });
  }
}

function filesOf(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => lstatSync(join(folder, path)).isFile())
    .map((path) => relative('.', path))
    .sort();
}
