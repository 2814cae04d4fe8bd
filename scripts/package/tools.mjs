import { which } from '../setup.mjs';

/** Debian's packages of the programs that the checks start, where they are named differently. */
const packages = {
  '7zz': '7zip',
  bwrap: 'bubblewrap',
  'dpkg-deb': 'dpkg',
  objdump: 'binutils',
  msiextract: 'msitools',
  msiinfo: 'msitools',
  rpmbuild: 'rpm',
  strip: 'binutils',
  setpriv: 'util-linux',
  'xvfb-run': 'xvfb',
  xz: 'xz-utils',
};

/** Says which of these programs is not here, or null: asked before the work, so that nobody waits for a check that cannot be made. */
export function missingTool(...names) {
  const name = names.find((one) => !which(one));
  return name ? `no ${name} here (Debian: ${packages[name] ?? name})` : null;
}

const optional =
  'setpriv xvfb-run xauth git lintian objdump rpm rpmbuild 7zz wixl msiinfo msiextract mmdebstrap bwrap openssl'.split(
    ' ',
  );

/** Programs without which single checks are skipped, with their packages: said before the work. */
export const absentTools = () => optional.map((name) => missingTool(name)).filter((said) => said !== null);
