import type { PolicySource } from '../core/foundation/ports.ts';
import { policyFile } from './policy-file.ts';
import { managedPreferences } from './policy-plist.ts';
import { registryPolicy } from './policy-registry.ts';

/** As in electron-builder.yml: configuration profiles name programs by it. */
const bundleId = 'org.sealdesk.desktop';

/** Where this system's administrators put the policy, the same for every host. Neither an option nor a variable of a person names another place. */
export function systemPolicy(platform: NodeJS.Platform = process.platform): PolicySource {
  if (platform === 'win32') return registryPolicy();
  if (platform === 'darwin') return managedPreferences(bundleId);
  return policyFile('/etc/sealdesk/policy.json');
}
