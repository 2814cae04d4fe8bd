import { z } from 'zod';
import { call, event } from './call.ts';
import type { Failure } from './failure.ts';
import { lineOf, localId, xmlText } from './text.ts';

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

const namedNumber = z.strictObject({ value: z.int().min(-2147483648).max(2147483647), name: lineOf(80) });

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
  maxItems: z.int().min(-2147483648).max(2147483647).default(1000),
  /** The account's own address, which may not be a recipient; empty where not known. */
  ownerEmail: xmlText(320).default(''),
  proxy: proxy.default({ mode: 'system' }),
  /** PEM text of certificate authorities to trust besides the system's; empty for none. */
  extraCa: xmlText(200_000).default(''),
  /** Uploads at the same time. */
  parallel: z.int().min(1).max(8).default(2),
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

/** What a WSDL says, as a proposal: only what it says is in it. */
export interface WsdlProposal {
  readonly settings: Partial<
    Pick<ConnectionSettings, 'baseUrl' | 'mainPath' | 'easySignPath' | 'namespaceUri' | 'elementNames'>
  >;
  readonly soapVersions: readonly ('1.1' | '1.2')[];
  /** Operations of the interface that the WSDL offers, and those that it lacks. */
  readonly operations: readonly string[];
  readonly missing: readonly string[];
}

export const doctorSteps = [
  'name-lookup',
  'tcp',
  'proxy',
  'tls',
  'soap',
  'version',
  'schedule',
  'credentials',
  'easy-sign',
] as const;

export interface DoctorStep {
  readonly step: (typeof doctorSteps)[number];
  readonly result: 'passed' | 'failed' | 'not-tried';
  /** English, without secrets: what was seen (address, issuer, version text). */
  readonly note: string;
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
  /** Reads a WSDL from an address, or from a file that the person chose. */
  'connections.readWsdl': call(
    z.union([z.strictObject({ address: lineOf(2000) }), z.strictObject({ token: localId })]),
  ).answers<WsdlProposal>(),
  /** Runs the connection doctor; steps are also told one by one in `connections.doctorProgressed`. */
  'connections.doctor': call(z.strictObject({ id: localId })).answers<DoctorReport>(),
};

export const connectionEvents = {
  'connections.changed': event<ConnectionsState>(),
  'connections.doctorProgressed': event<{ readonly id: string; readonly steps: readonly DoctorStep[] }>(),
};
