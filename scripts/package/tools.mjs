import { which } from '../setup.mjs';

/** Debian's packages of the programs that the checks start, where they are named differently. */
const packages = {
  '7zz': '7zip',
  bwrap: 'bubblewrap',
  'dpkg-deb': 'dpkg',
  msiextract: 'msitools',
  msiinfo: 'msitools',
  rpmbuild: 'rpm',
  strip: 'binutils',
  'xvfb-run': 'xvfb',
  xz: 'xz-utils',
};

/** Says which of these programs is not here, or null: asked before the work, so that nobody waits for a check that cannot be made. */
export function missingTool(...names) {
  const name = names.find((one) => !which(one));
  return name ? `no ${name} here (Debian: ${packages[name] ?? name})` : null;
}
