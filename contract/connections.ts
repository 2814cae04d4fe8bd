import { z } from 'zod';
import { call, event } from './call.ts';
import type { Failure } from './failure.ts';
import { int32, lineOf, localId, xmlText } from './text.ts';

const httpAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .max(2000)
  .refine((text) => !/[\s@?#]/.test(text), 'must have no user, query or fragment');

const path = lineOf(500).refine(
  (text) => text.startsWith('/') && !/[\s?#]/.test(text),
  'must start with / and have no space, ? or #',
);

/** An XML name without a prefix: what an element of the service may be called. */
const elementName = z
  .string()
  .max(100)
  .regex(/^[\p{L}_][\p{L}\p{N}._-]*$/u, 'must be an XML element name');

const namedNumber = z.strictObject({ value: int32, name: lineOf(80) });

const proxy = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('system') }),
  z.strictObject({ mode: z.literal('none') }),
  z.strictObject({ mode: z.literal('manual'), address: httpAddress }),
]);

/** Everything about a connection that a person may set. What the interface leaves open is a setting here. */
export const connectionSettings = z.strictObject({
  name: lineOf(80),
  baseUrl: httpAddress,
  /** Path of the .asmx with the main operations. */
  mainPath: path,
  /** Fixed by the interface, kept as a setting because services differ. */
  easySignPath: path.default('/easysign/v2/easysign.asmx'),
  /** Ends with a slash (naming conventions); one that does not is taken as it is and shown with a warning. */
  namespaceUri: lineOf(500),
  soapVersion: z.enum(['1.1', '1.2']).default('1.1'),
  /** Of the Easy Sign path; `main` for the same as the main path. */
  easySignSoapVersion: z.enum(['main', '1.1', '1.2']).default('main'),
  /** SOAP 1.2 with the `action` parameter in Content-Type. The interface shows none; WCF refuses requests without. */
  soapAction12: z.boolean().default(false),
  /** Optional booleans of Easy Sign that nobody set go out as false: strict servers insist on them. */
  sendFalse: z.boolean().default(false),
  /**
   * The service's own element names, by the interface's: `ServiceDocumentID` or, for one operation only,
   * `GetDocument.ServiceDocumentID`. A name that is not in the table goes out as the interface spells it.
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
    .array(namedNumber)
    .max(50)
    .default([
      { value: 1, name: 'Out for signature' },
      { value: 2, name: 'Signed' },
    ]),
  /** Between several addresses or names. */
  separator: z.string().min(1).max(5).default(';'),
  /** MaxItems of GetESignList: any int of the interface, whatever it means to the service. */
  maxItems: int32.default(1000),
  /** The account's own address, which may not be a recipient; empty where not known. */
  ownerEmail: xmlText(320).default(''),
  proxy: proxy.default({ mode: 'system' }),
  /** PEM text of certificate authorities to trust besides the system's; empty for none. */
  extraCa: xmlText(200_000).default(''),
  /** Uploads at the same time. */
  parallel: z.int().min(1).max(8).default(2),
  /** After so many adds in a row without an answer nothing more leaves until a person lets it go on. Nor are more than these under way at the same time. */
  doubtLimit: z.int().min(1).max(100).default(3),
  /** ValidateDocument calls a minute that verifications may make together; absent for no limit. */
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

export type ConnectionKind = 'practice' | 'service';

/** A connection as a window sees it: settings and whether there are credentials, never these themselves. */
export interface Connection extends ConnectionSettings {
  readonly id: string;
  /** The practice connection is always there, cannot be removed, and its address is made when it is used. */
  readonly kind: ConnectionKind;
  /** `none`: to be typed in. `this-run`: no keychain, kept in memory until the program ends. */
  readonly credentials: 'none' | 'keychain' | 'this-run';
}

export interface ConnectionsState {
  readonly connections: readonly Connection[];
  /** The one that new work goes to. */
  readonly currentId: string;
}

/** What a person is told about a WSDL that was read, beside what it fills in. */
export const wsdlRemarkKinds = [
  /** The address that was typed is used (`now`), not the one that the description names (`was`). */
  'address-kept',
  /** As address-kept, where the description would have led from https to http. */
  'downgrade-refused',
  /** Everything sent to `now` can be read on the way: http to another computer. */
  'in-clear',
  /** What was typed (`was`) leads to `now` on the same host, and that is used. */
  'redirected',
  /** The description names the path `now`, but was read at `was`. */
  'path-differs',
  /** The description names an address that is none (`was`); `now` is used, empty for nothing. */
  'address-unusable',
  /** Several addresses offer the same operations: `now` is used, `was` are the others. */
  'several-addresses',
  /** Easy Sign is at an address (`now`) that cannot be joined to the connection's base address (`was`). */
  'other-host',
  /** `about` (mainPath or easySignPath) led to `was` and now leads to `now`. */
  'address-changed',
  /** The namespace was `was` and is now `now`. */
  'namespace-changed',
  /** `about` (an operation, or easySignPath) is in the namespace `now`, while the connection uses `was`. */
  'other-namespace',
  /** The operation wants the SOAPAction `now`; the interface's is `was`. */
  'other-action',
  /** Easy Sign offers `now` alone; the connection is set by the main path. */
  'easy-sign-version',
  /** The element `about` is called `now`: found by its place and type. */
  'name-found',
  /** The element `about` was called `was`, and is now called `now`. */
  'name-changed',
  /** No element could be matched to `about`: it stays `was`. */
  'name-unmatched',
  /** The operation `about` has an element `now` that is not matched to any of the interface. */
  'element-extra',
  /** As element-extra, and the service requires it. */
  'element-required',
  /** The element `about` stands in another place than in the interface. */
  'order-differs',
  /** The elements of the operation `about` are not declared in a namespace. */
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

/** What a WSDL says, as a proposal: only what it says is in it, with what the form held before kept where it says nothing. */
export interface WsdlProposal {
  /** `elementNames` is the whole table: what the WSDL describes is replaced, the rest is as it was. */
  readonly settings: Partial<
    Pick<ConnectionSettings, 'baseUrl' | 'mainPath' | 'easySignPath' | 'namespaceUri' | 'elementNames'>
  >;
  /** Of the main path; empty where only Easy Sign is described. */
  readonly soapVersions: readonly ('1.1' | '1.2')[];
  /** Operations of the interface that the WSDL offers, and those that it lacks. */
  readonly operations: readonly string[];
  readonly missing: readonly string[];
  /** At most 200. */
  readonly remarks: readonly WsdlRemark[];
}

/** What the form holds while a WSDL is read into it; half-typed texts are passed over. */
const wsdlOnto = z.strictObject({
  baseUrl: z.string().max(2000),
  mainPath: z.string().max(500),
  easySignPath: z.string().max(500),
  namespaceUri: z.string().max(500),
  soapVersion: z.enum(['1.1', '1.2']),
  elementNames: z.record(z.string().max(100), z.string().max(100)),
  /** Trusted while a WSDL is fetched, as it will be by the connection. */
  extraCa: z.string().max(200_000),
});

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

/** What a person can do about a step. */
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
] as const;

export type DoctorProposal = (typeof doctorProposals)[number];

export interface DoctorStep {
  readonly step: (typeof doctorSteps)[number];
  /** `unclear`: it was answered, but the answer does not tell whether the setting is right. */
  readonly result: 'passed' | 'failed' | 'unclear' | 'not-tried';
  /** English, without secrets: what was seen (address, issuer, version text). */
  readonly note: string;
  readonly proposal?: DoctorProposal;
  /** Elements whose names are in question, as `Operation.Child`. */
  readonly elements?: readonly string[];
  readonly failure?: Failure;
  readonly tookMs: number;
}

export interface DoctorReport {
  readonly steps: readonly DoctorStep[];
  /** The whole report as text for support, redacted. */
  readonly text: string;
}

export const connections = {
  'connections.state': call(z.strictObject({})).answers<ConnectionsState>(),
  /** Adds (without id) or changes (with id). */
  'connections.save': call(
    z.strictObject({ id: localId.optional(), settings: connectionSettings }),
  ).answers<Connection>(),
  /**
   * The one connection that has exactly these settings, whatever it is called; made where there is none. Looked for and made in one step, so that several
   * programs that ask at the same moment get the same.
   */
  'connections.findOrAdd': call(z.strictObject({ settings: connectionSettings })).answers<Connection>(),
  'connections.remove': call(z.strictObject({ id: localId })).answers<null>(),
  'connections.use': call(z.strictObject({ id: localId })).answers<null>(),
  /** The only way in for credentials; there is no way out. */
  'connections.setCredentials': call(
    z.strictObject({ id: localId, apiKey: lineOf(1000), apiSig: lineOf(1000) }),
  ).answers<{ readonly kept: 'keychain' | 'this-run' }>(),
  'connections.forgetCredentials': call(z.strictObject({ id: localId })).answers<null>(),
  /** Reads a WSDL from an address, or from a file that the person chose, onto what the form holds. Saves nothing. */
  'connections.readWsdl': call(
    z.union([
      z.strictObject({ address: lineOf(2000), onto: wsdlOnto.optional() }),
      z.strictObject({ token: localId, onto: wsdlOnto.optional() }),
    ]),
  ).answers<WsdlProposal>(),
  /** Runs the connection doctor; steps are also told one by one in `connections.doctorProgressed`. */
  'connections.doctor': call(z.strictObject({ id: localId })).answers<DoctorReport>(),
};

export const connectionEvents = {
  'connections.changed': event<ConnectionsState>(),
  'connections.doctorProgressed': event<{ readonly id: string; readonly steps: readonly DoctorStep[] }>(),
};
