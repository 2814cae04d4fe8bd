import { z } from 'zod';
import { call, event, lazyObject, type Removed } from './call.ts';
import type { Failure } from './failure.ts';
import type { OperationName } from './operation.ts';
import { int32, lineOf, localId, password, xmlText } from './text.ts';

const noSpace = 'must have no space: %20 stands for one';
const noQuery = 'must have no query: leave out ? and what follows it';
const noFragment = 'must have no fragment: leave out # and what follows it';

/** True for a text without any of these characters. */
const without = (characters: RegExp) => (text: string) => !characters.test(text);

export const httpAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .max(2000)
  .refine(without(/\s/), noSpace)
  .refine(without(/\?/), noQuery)
  .refine(without(/#/), noFragment)
  .refine(without(/@/), 'must have no user: leave out what stands before @');

const path = lineOf(500)
  .refine((text) => text.startsWith('/'), 'must start with /')
  .refine(without(/\s/), noSpace)
  .refine(without(/\?/), noQuery)
  .refine(without(/#/), noFragment);

/** An XML name without a prefix, as allowed for elements of the service. */
const elementName = z
  .string()
  .max(100)
  .regex(/^[\p{L}_][\p{L}\p{N}._-]*$/u, 'must be an XML element name');

const certificateBlocks = /-----BEGIN (?:TRUSTED )?CERTIFICATE-----[\s\S]*?-----END (?:TRUSTED )?CERTIFICATE-----/g;

/** True for a PEM text with a private key in it, as files for servers often are. */
export function holdsPrivateKey(pem: string): boolean {
  return /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem);
}

/** The text, or only its certificates if there is a private key in it: such a key is never stored. */
function withoutPrivateKey(pem: string): string {
  return holdsPrivateKey(pem) ? (pem.match(certificateBlocks) ?? []).map((block) => `${block}\n`).join('') : pem;
}

const namedNumber = z.strictObject({ value: int32, name: lineOf(80) });

/** What a list of signature requests tells about the people in it. */
export const listMeanings = ['waiting', 'signed', 'none'] as const;
export type ListMeaning = (typeof listMeanings)[number];

/** The interface does not name its lists. Where nobody chose a meaning, 1 is out for signature, and 2 is signed. */
const usualMeanings: Readonly<Record<number, ListMeaning>> = { 1: 'waiting', 2: 'signed' };

const signatureList = namedNumber
  .extend({ meaning: z.enum(listMeanings).optional() })
  .transform(({ meaning, ...list }) => ({ ...list, meaning: meaning ?? usualMeanings[list.value] ?? 'none' }));

const proxy = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('system') }),
  z.strictObject({ mode: z.literal('none') }),
  z.strictObject({ mode: z.literal('manual'), address: httpAddress }),
]);

/** All settings of a connection. Everything that the interface leaves open is a setting here. */
export const connectionSettings = z.strictObject({
  name: lineOf(80),
  baseUrl: httpAddress,
  /** Path of the .asmx file with the main operations. */
  mainPath: path,
  /** Fixed by the interface, but a setting because services differ. */
  easySignPath: path.default('/easysign/v2/easysign.asmx'),
  /** Should end with a slash (naming conventions); if it does not, it is used as it is and shown with a warning. */
  namespaceUri: lineOf(500),
  soapVersion: z.enum(['1.1', '1.2']).default('1.1'),
  /** SOAP version of the Easy Sign path; `main`: the same as the main path. */
  easySignSoapVersion: z.enum(['main', '1.1', '1.2']).default('main'),
  /** SOAP 1.2 with the `action` parameter in Content-Type. The interface shows none; WCF refuses requests without it. */
  soapAction12: z.boolean().default(false),
  /** Sends optional booleans of Easy Sign as false if nobody set them: strict servers require them. */
  sendFalse: z.boolean().default(false),
  /**
   * Element names of the service, by the names of the interface: `ServiceDocumentID` or, for one operation only, `GetDocument.ServiceDocumentID`.
   * Elements without an entry are sent with the name of the interface.
   */
  elementNames: z.record(z.string().max(100), elementName).default({}),
  creditTypes: z
    .array(namedNumber)
    .max(50)
    .default([
      { value: 1, name: 'Document credits' },
      { value: 2, name: 'Prepaid credits' },
      { value: 3, name: 'Subscription' },
    ]),
  lists: z
    .array(signatureList)
    .max(50)
    .default([
      { value: 1, name: 'Out for signature', meaning: 'waiting' },
      { value: 2, name: 'Signed', meaning: 'signed' },
    ]),
  /** Separator of several addresses or names. */
  separator: z.string().min(1).max(5).default(';'),
  /** MaxItems of GetESignList: any int of the interface; its meaning depends on the service. */
  maxItems: int32.default(1000),
  /** The account's own address, which may not be a recipient; empty if not known. */
  ownerEmail: xmlText(320).default(''),
  proxy: proxy.default({ mode: 'system' }),
  /** PEM text of certificate authorities to trust besides the system's; empty for none. Never with a private key. */
  extraCa: xmlText(200_000).overwrite(withoutPrivateKey).default(''),
  /** Number of uploads at the same time. */
  parallel: z.int().min(1).max(8).default(2),
  /**
   * After this many consecutive adds without an answer, no more are sent until a person resumes the connection. Also the limit of adds in progress at
   * the same time.
   */
  doubtLimit: z.int().min(1).max(100).default(3),
  /** Limit of ValidateDocument calls per minute, shared by all verifications; absent for no limit. */
  verifyPerMinute: z.int().min(1).max(60_000).optional(),
  timeouts: z
    .strictObject({
      connectMs: z.int().min(500).max(600_000),
      idleMs: z.int().min(500).max(600_000),
      answerMs: z.int().min(500).max(3_600_000),
    })
    .default({ connectMs: 15_000, idleMs: 60_000, answerMs: 180_000 }),
});

export type ConnectionSettings = z.output<typeof connectionSettings>;

/** Where a secret is kept. `this-run`: without a keychain, in memory until the program ends. */
type Kept = 'keychain' | 'this-run';
/** What a connection's list tells about the people in it; `none` for a list that is no longer configured. */
export function meaningOfList(lists: ConnectionSettings['lists'], listType: number): ListMeaning {
  return lists.find(({ value }) => value === listType)?.meaning ?? 'none';
}

export type ConnectionKind = 'practice' | 'service';

/** A connection as windows see it: its settings and whether it has credentials, never the credentials. */
export interface Connection extends ConnectionSettings {
  readonly id: string;
  /** The practice connection always exists, cannot be removed, and gets its address when it is used. */
  readonly kind: ConnectionKind;
  /** `none`: not entered yet. `this-run`: without a keychain, kept in memory until the program ends. */
  readonly credentials: 'none' | Kept;
  /** The user at the proxy, who has a password; null without one. */
  readonly proxyLogin: { readonly user: string; readonly kept: Kept } | null;
  /** The certificate with which the program shows itself to the service; null without one. `validUntil` in ISO format. */
  readonly clientCertificate: {
    readonly subject: string;
    readonly issuer: string;
    readonly validUntil: string;
    readonly kept: Kept;
  } | null;
  /** What the organisation's policy says about it; absent if nothing. */
  readonly managed?: ManagedPart;
}

/** The settings of a connection, as `connections.save` takes them: without what is only shown beside them. */
export function settingsOfConnection(connection: Connection): ConnectionSettings {
  const {
    id: _id,
    kind: _kind,
    credentials: _credentials,
    proxyLogin: _login,
    clientCertificate: _certificate,
    managed: _managed,
    ...settings
  } = connection;
  return settings;
}

export interface ManagedPart {
  /** The policy provides the connection: it cannot be removed. */
  readonly isProvided: boolean;
  /** The policy does not allow its use, or cannot be read: nothing is sent over it. */
  readonly isBlocked: boolean;
  /** Settings that the policy sets. */
  readonly locked: readonly (keyof ConnectionSettings)[];
}

/**
 * What the last call with credentials, or the last check, showed of a connection. `unreachable`: not where one operation
 * fails and others are answered. `away`: the same where something answers, with an HTTP status such as 503; `page`: with a web page; `redirected`: with another address. `faulty`: reached,
 * but the last check found another fault than the credentials, for example in one of two paths, whatever calls are answered. `unclear`: as well, but the check left open
 * whether all is right.
 */
export const connectionHealthStates = [
  'works',
  'credentials-refused',
  'unreachable',
  'away',
  'page',
  'redirected',
  'faulty',
  'unclear',
] as const;

export interface ConnectionHealth {
  readonly state: (typeof connectionHealthStates)[number];
  /** When it was last shown, in ISO format. */
  readonly at: string;
  /** The step of the check that found the fault, or that left something open. */
  readonly faultStep?: DoctorStep['step'] | undefined;
}

export interface ConnectionsState {
  readonly connections: readonly Connection[];
  /** By connection; absent for one that was not tried since its settings or credentials changed. */
  readonly health: Readonly<Record<string, ConnectionHealth>>;
  /** The connection for new work. */
  readonly currentId: string;
  /** One that the policy provided while another was in use: it is put into use by a person, or at the next start unless a person chose. Null for none. */
  readonly offeredId: string | null;
  /** How many saved ones cannot be read, as they are broken or of a newer program: they are left as they are. Absent for none. */
  readonly unreadable?: number;
}

/** What is in use once a connection is removed that was: the next real one that may be used, those of the policy first; without one, practice. */
export const nextInUse = (connections: readonly Connection[], removedId: string): Connection | undefined =>
  connections.find(({ id, kind, managed }) => id !== removedId && kind === 'service' && !managed?.isBlocked) ??
  connections[0];

/** Remarks on a WSDL that was read, besides the values that it provides. */
export const wsdlRemarkKinds = [
  /** The entered address is used (`now`), not the one in the description (`was`). */
  'address-kept',
  /** As address-kept, because the description would have changed https to http. */
  'downgrade-refused',
  /** Requests to `now` can be read by others: http to another computer. */
  'in-clear',
  /** The entered address (`was`) redirects to `now` on the same host, which is used. */
  'redirected',
  /** The description names the path `now` but was read from `was`. */
  'path-differs',
  /** The address in the description (`was`) is invalid; `now` is used, empty for none. */
  'address-unusable',
  /** Several addresses offer the same operations: `now` is used, `was` are the others. */
  'several-addresses',
  /** The address of Easy Sign (`now`) cannot be combined with the connection's base address (`was`). */
  'other-host',
  /** `about` (mainPath or easySignPath) changed from `was` to `now`. */
  'address-changed',
  /** The namespace changed from `was` to `now`. */
  'namespace-changed',
  /** `about` (an operation, or easySignPath) is in the namespace `now`, while the connection uses `was`. */
  'other-namespace',
  /** The operation requires the SOAPAction `now`; the interface has `was`. */
  'other-action',
  /** Easy Sign offers only `now`; the connection's version is set by the main path. */
  'easy-sign-version',
  /** The element `about` is called `now`, found by its position and type. */
  'name-found',
  /** The name of the element `about` changed from `was` to `now`. */
  'name-changed',
  /** No element matches `about`: it stays `was`. */
  'name-unmatched',
  /** The operation `about` has an element `now` that matches no element of the interface. */
  'element-extra',
  /** As element-extra, and the service requires it. */
  'element-required',
  /** The element `about` has another position than in the interface. */
  'order-differs',
  /** The elements of the operation `about` are declared without a namespace. */
  'unqualified',
  /** The elements of the operation `about` are not in the description. */
  'not-described',
  /** Parts of the description are elsewhere (`now`) and were not read. */
  'imports',
] as const;

export interface WsdlRemark {
  readonly kind: (typeof wsdlRemarkKinds)[number];
  readonly about: string;
  readonly was?: string;
  readonly now?: string;
}

/** A proposal of settings from a WSDL. It contains only what the WSDL states, merged with the values of the form. */
export interface WsdlProposal {
  /** `elementNames` is the whole table: described names are replaced, others stay. */
  readonly settings: Partial<
    Pick<ConnectionSettings, 'baseUrl' | 'mainPath' | 'easySignPath' | 'namespaceUri' | 'elementNames'>
  >;
  /** Versions of the main path; empty if only Easy Sign is described. */
  readonly soapVersions: readonly ('1.1' | '1.2')[];
  /** Operations of the interface that the WSDL contains, and those of the same path (main, Easy Sign) that it lacks. */
  readonly operations: readonly string[];
  readonly missing: readonly OperationName[];
  /** At most 200. */
  readonly remarks: readonly WsdlRemark[];
}

/** Values of the form into which a WSDL is read; incomplete texts are ignored. */
const wsdlOnto = lazyObject(() => ({
  baseUrl: z.string().max(2000),
  mainPath: z.string().max(500),
  easySignPath: z.string().max(500),
  namespaceUri: z.string().max(500),
  soapVersion: z.enum(['1.1', '1.2']),
  elementNames: z.record(z.string().max(100), z.string().max(100)),
  /** Trusted while the WSDL is fetched, as later by the connection. */
  extraCa: z.string().max(200_000),
}));

export type WsdlOnto = z.output<typeof wsdlOnto>;

export const doctorSteps = [
  'name-lookup',
  'tcp',
  'proxy',
  'tls',
  'soap',
  'version',
  'schedule',
  'element-names',
  'credentials',
  'status',
  'details',
  'signature-list',
  'easy-sign',
] as const;

/** Only where there is a policy, and before the others. */
export const policyStep = 'policy';

/** Actions that a person can take about a step. */
export const doctorProposals = [
  /** Read the WSDL again, or ask the service for its element names. */
  'read-wsdl',
  /** SOAP 1.2 with the action parameter, or SOAP 1.1. */
  'soap12-action',
  /** The other SOAP version. */
  'soap-version',
  'check-namespace',
  'check-credentials',
  'check-main-path',
  'check-easy-sign-path',
  'ask-about-easy-sign',
] as const;

export type DoctorProposal = (typeof doctorProposals)[number];

export interface DoctorStep {
  readonly step: (typeof doctorSteps)[number] | typeof policyStep;
  /** `unclear`: the service answered, but the answer does not show whether the setting is right. */
  readonly result: 'passed' | 'failed' | 'unclear' | 'not-tried';
  /** The observation (address, issuer, version text) in English, without secrets. */
  readonly note: string;
  readonly proposal?: DoctorProposal;
  /** Elements with unclear names, as `Operation.Child`. */
  readonly elements?: readonly string[];
  readonly failure?: Failure;
  readonly tookMs: number;
}

export interface DoctorReport {
  readonly steps: readonly DoctorStep[];
  /** The whole report as text for support, redacted. */
  readonly text: string;
}

/** API key and signature. They can only be set; no call returns them. */
const credentials = () => ({ apiKey: lineOf(1000), apiSig: lineOf(1000) });

/**
 * What lets a connection through: user and password at its proxy, and a client certificate with its key (PKCS#12, or PEM in one file or two). Both
 * can only be set; no call returns them. Absent: as it is. Null: removed.
 */
const access = () => ({
  proxyLogin: z
    .strictObject({ user: lineOf(256).refine((text) => !text.includes(':'), 'must have no colon'), password })
    .nullable()
    .optional(),
  clientCertificate: z
    .strictObject({ tokens: z.array(localId).min(1).max(2), password })
    .nullable()
    .optional(),
});

const accessChange = lazyObject(access);

export type AccessChange = z.output<typeof accessChange>;

/** The way on which a WSDL is read: as a connection's (`id`), with what the form has not saved yet. */
const wsdlWay = lazyObject(() => ({ id: localId.optional(), proxy: proxy.optional(), ...access() }));

export type WsdlWay = z.output<typeof wsdlWay>;

export const connections = {
  'connections.state': call(() => ({})).answers<ConnectionsState>(),
  /**
   * Adds a connection (without id) or changes it (with id). If origin, proxy or certificates change, the stored
   * credentials are removed; with the proxy the login there, with the origin the client certificate. A client certificate that cannot be used is
   * bad-input for clientCertificate or clientCertificate.password, and nothing is changed. An address in http on another computer is saved only if the host's own dialog confirms it;
   * otherwise bad-input for baseUrl.
   */
  'connections.save': call(() => ({
    id: localId.optional(),
    settings: connectionSettings,
    credentials: z.strictObject(credentials()).optional(),
    ...access(),
  })).answers<Connection>(),
  /**
   * Finds the connection with exactly these settings, ignoring the name, or adds it. Atomic, so that several programs calling at the same time get
   * the same one.
   */
  'connections.findOrAdd': call(() => ({ settings: connectionSettings })).answers<Connection>(),
  /** Nothing is sent on it any more. When it cannot be put back, or at the next start, its secrets are removed, and what waits for it fails. */
  'connections.remove': call(() => ({ id: localId })).answers<Removed>(),
  'connections.use': call(() => ({ id: localId })).answers<null>(),
  'connections.setCredentials': call(() => ({ id: localId, ...credentials() })).answers<{
    readonly kept: 'keychain' | 'this-run';
  }>(),
  /** Sets what lets a connection through, as `save` does. */
  'connections.setAccess': call(() => ({ id: localId, ...access() })).answers<Connection>(),
  'connections.forgetCredentials': call(() => ({ id: localId })).answers<null>(),
  /** Reads a WSDL from an address, or from a file that the person chose, and merges it with the values of the form. Saves nothing. */
  'connections.readWsdl': call(() =>
    z.union([
      z.strictObject({ address: lineOf(2000), onto: wsdlOnto.optional(), way: wsdlWay.optional() }),
      z.strictObject({ token: localId, onto: wsdlOnto.optional() }),
    ]),
  ).answers<WsdlProposal>(),
  /** Runs the connection doctor; steps are also published one by one in `connections.doctorProgressed`. */
  'connections.doctor': call(() => ({ id: localId })).answers<DoctorReport>(),
};

export const connectionEvents = {
  'connections.changed': event<ConnectionsState>(),
  'connections.doctorProgressed': event<{ readonly id: string; readonly steps: readonly DoctorStep[] }>(),
};
