import type { Installation } from '../../../contract/app.ts';
import type { UpdateOffReason } from '../../../contract/updates.ts';
import type { Policy } from '../settings/policy.ts';

/** What an update needs from the settings. */
export interface FeedSettings {
  readonly feed: string;
  readonly keys: string;
  /** Null: the installer's own signature is not compared. */
  readonly publisher: string | null;
}

type Decision = { readonly off: UpdateOffReason } | { readonly off: null; readonly settings: FeedSettings };

/** Without one of these nobody knows whether, from where or on which way updates may come. */
const needed = ['updates', 'updateFeed', 'updateKey', 'updatePublisher', 'proxy', 'extraCa'] as const;

/** What else keeps a program of this kind up to date; null if it can do so by itself. */
function otherUpdater(installation: Installation): UpdateOffReason | null {
  switch (installation) {
    case 'source':
    case 'folder':
    case 'package':
    case 'windows-msi':
      return installation;
    case 'windows-installer':
    case 'disk-image':
    case 'appimage':
      return null;
  }
}

/** Whether the program updates itself, and if not, why. The installation comes first: no setting changes it. */
export function decideUpdates(
  installation: Installation,
  policy: Pick<Policy, 'organisation' | 'isUnreadable'>,
  mayReplace: boolean,
): Decision {
  const other = otherUpdater(installation);
  if (other) return { off: other };
  if (needed.some(policy.isUnreadable)) return { off: 'policy-broken' };
  if (!policy.organisation('updates')) return { off: 'policy' };
  const feed = policy.organisation('updateFeed');
  const keys = policy.organisation('updateKey');
  if (feed === null) return { off: 'no-feed' };
  if (keys === null) return { off: 'no-key' };
  if (!mayReplace) return { off: 'not-replaceable' };
  return { off: null, settings: { feed, keys, publisher: policy.organisation('updatePublisher') } };
}
