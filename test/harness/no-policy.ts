import type { PolicyState } from '../../contract/settings.ts';

/** What the window knows on a computer without a policy. */
export const noPolicyState: PolicyState = {
  source: '/etc/sealdesk/policy.json',
  isPresent: false,
  locked: [],
  forbidden: [],
  mayAddConnections: true,
  requestWaitAtLeast: 0,
  registerWaitAtLeast: 0,
  problems: [],
};
