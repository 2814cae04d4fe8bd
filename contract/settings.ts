import { z } from 'zod';
// First, for its setting of zod.
import './call.ts';
import { connectionSettings, httpAddress } from './connections.ts';
import type { ExportName } from './exports.ts';
import { teamPlace } from './team.ts';
import { lineOf, xmlText } from './text.ts';

/** `contrast`: black and white, light or dark as the system. */
export const themes = ['system', 'light', 'dark', 'contrast'] as const;

/** Most files that are sent or verified at the same time, over all connections. */
export const mostAtOnce = 8;

/** Most seconds in which something can be taken back before it is sent. */
export const mostWait = 60;
const seconds = z.int().min(0).max(mostWait);

/** A setting with the value that holds if nobody set it. */
function setting<S extends z.core.$ZodType>(schema: S, builtIn: z.output<S>) {
  return { schema, builtIn };
}

/** Settings that a person chooses, unless a policy sets them. */
export const preferenceTable = {
  theme: setting(z.enum(themes), 'system'),
  /** BCP 47 tag of the interface's language, or `system`. */
  language: setting(z.string().max(35), 'system'),
  /** Desktop notifications about signature requests and reminders. */
  notifications: setting(z.boolean(), true),
  /** An icon in the system's tray. */
  tray: setting(z.boolean(), false),
  /** The program runs on when its window is closed; only with an icon in the tray. */
  closeToTray: setting(z.boolean(), false),
  /** Files sent at the same time, over all connections; a connection may allow fewer. */
  atOnce: setting(z.int().min(1).max(mostAtOnce), mostAtOnce),
  /** Seconds in which a signature request or a note can be taken back before it is sent; see Countdown in contract/jobs.ts. */
  requestWait: setting(seconds, 10),
  /** The same of a registration. */
  registerWait: setting(seconds, 0),
};

/** Limits of the calls that the program makes by itself; see contract/budget.ts. */
export const budgetTable = {
  callsPerHour: setting(z.int().min(1).max(3600), 120),
  automaticCalls: setting(z.boolean(), true),
};

/** ID of a connection in a policy: it stays the same when name or address change. */
const managedId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be small letters, digits and hyphens, at most 40');

/**
 * A connection of a policy: what it names is locked, the rest is the person's. Every setting of a connection belongs to it by itself; credentials
 * are no setting, so a policy cannot contain them. Unknown names are dropped here and reported by the reader.
 */
export const managedConnection = z.lazy(() =>
  z.object({
    id: managedId,
    ...connectionSettings.partial().shape,
    ...connectionSettings.pick({ name: true, baseUrl: true, mainPath: true, namespaceUri: true }).shape,
    /** The team register of everybody who uses it; login and password are the person's. */
    team: teamPlace.optional(),
  }),
);
export type ManagedConnection = z.output<typeof managedConnection>;

/** `system`, `none`, or the address of the proxy. */
const proxyText = z.union([z.enum(['system', 'none']), httpAddress]);

/** Address of a folder with updates. Unencrypted only on this computer. */
const feedAddress = httpAddress.refine(
  (text) => /^(https:|http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:\d+)?(\/|$))/i.test(text),
  'must be an https address',
);

/** Public Ed25519 keys, each as `openssl pkey -pubout -outform DER | base64` writes it; a second one while keys are changed. */
const updateKeys = z
  .string()
  .max(300)
  .regex(/^\s*MCowBQYDK2VwAyEA[A-Za-z0-9+/]{43}=(\s+MCowBQYDK2VwAyEA[A-Za-z0-9+/]{43}=){0,3}\s*$/, {
    error: 'must be 1 to 4 public Ed25519 keys in base64 (DER), separated by spaces',
  });

/** A place that is the same whichever folder the program was started in. */
const wholePath = lineOf(1000).refine((text) => /^(\/|[A-Za-z]:[\\/]|\\\\)/.test(text), 'must be a whole path');

const exportRight = setting(z.boolean(), true);

/** Settings of the organisation alone: only a policy sets them. Null: not set. */
export const organisationTable = {
  /** Where they are in a list, provided connections come before those of the person. */
  connections: setting(z.array(managedConnection).max(100), []),
  /** Whether a person may add connections, and use those that no policy provides. */
  ownConnections: setting(z.boolean(), true),
  /** Of all connections, except those of the policy that have their own. */
  proxy: setting(proxyText.nullable(), null),
  extraCa: setting(xmlText(200_000).nullable(), null),
  parallel: setting(connectionSettings.shape.parallel.unwrap().nullable(), null),
  verifyPerMinute: setting(connectionSettings.shape.verifyPerMinute.unwrap().nullable(), null),
  /** Whether the program may update itself; without `updateFeed` and `updateKey` it never does. A vendor's build names its own as built in. */
  updates: setting(z.boolean(), true),
  updateFeed: setting(feedAddress.nullable(), null),
  updateKey: setting(updateKeys.nullable(), null),
  /** On Windows, the name in the certificate of the installer's signature. */
  updatePublisher: setting(lineOf(200).nullable(), null),
  /** The least that a person can choose of `requestWait` and `registerWait`. */
  requestWaitAtLeast: setting(seconds, 0),
  registerWaitAtLeast: setting(seconds, 0),
  /** Folder with the certificates of authorities and signers that are known to the organisation. */
  trustedCertificates: setting(wholePath.nullable(), null),
  /** File with trust lists, as the command line writes it for IT. */
  trustList: setting(wholePath.nullable(), null),
  exportLists: exportRight,
  exportReports: exportRight,
  exportReceipts: exportRight,
  exportDiagnostics: exportRight,
  saveDocuments: exportRight,
} satisfies Record<ExportName, unknown> & Record<string, unknown>;

/** Every setting of the program. Settings file, policies, templates for administrators and their documentation are derived from it. */
export const settingTable = { ...preferenceTable, ...budgetTable, ...organisationTable };

export type SettingName = keyof typeof settingTable;
export type SettingValue<N extends SettingName> = z.output<(typeof settingTable)[N]['schema']>;
export const settingNames = Object.keys(settingTable) as readonly SettingName[];

/** A policy may recommend these instead of setting them: a person's own choice comes first. */
export type PersonalName = keyof typeof preferenceTable | keyof typeof budgetTable;
export const personalNames = Object.keys({ ...preferenceTable, ...budgetTable }) as readonly PersonalName[];

/** Why a policy, or a part of it, is not in force. */
export interface PolicyProblem {
  /**
   * `unusable`: nothing of it can be read. `wrong-value`: one value cannot be used. `missing`: another setting has no effect without this one. `unknown`: the program
   * has no such setting.
   */
  readonly kind: 'unusable' | 'wrong-value' | 'missing' | 'unknown';
  /** Name of the setting, with the place in it; empty for the whole policy. Never a value. */
  readonly key: string;
  /** English, for whoever writes the policy. */
  readonly note: string;
}

/** The organisation's policy as a person sees it. */
export interface PolicyState {
  /** Where it is: a path, or keys of the registry. */
  readonly source: string;
  readonly isPresent: boolean;
  /** Settings that a person cannot change. */
  readonly locked: readonly SettingName[];
  /** Exports that the policy forbids. */
  readonly forbidden: readonly ExportName[];
  readonly mayAddConnections: boolean;
  /** The least seconds in which requests and registrations can be taken back. */
  readonly requestWaitAtLeast: number;
  readonly registerWaitAtLeast: number;
  readonly problems: readonly PolicyProblem[];
}
