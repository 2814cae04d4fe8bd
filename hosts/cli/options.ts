/** An option of the command line, as parsed and as printed in the help. */
export interface OptionSpec {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  /** May be given several times; order is kept. */
  readonly multiple?: true;
  /** What stands for the value in the help. */
  readonly value?: string;
  readonly help: string;
  /** `--no-NAME` exists too, and says false instead of leaving the child out. */
  readonly negatable?: true;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

export const commonOptions: OptionSpecs = {
  json: { type: 'boolean', help: 'one JSON object a line instead of text' },
  help: { type: 'boolean', short: 'h', help: 'this help' },
};

export const connectionOptions: OptionSpecs = {
  connection: { type: 'string', value: 'NAME', help: 'a connection saved by the desktop app' },
  url: { type: 'string', value: 'ADDRESS', help: 'base address of the service' },
  namespace: { type: 'string', value: 'URI', help: 'XML namespace of the service, with its slash at the end' },
  'main-path': { type: 'string', value: 'PATH', help: 'path of the main operations' },
  'easy-sign-path': { type: 'string', value: 'PATH', help: 'path of the Easy Sign operations, where it differs' },
  soap: { type: 'string', value: '1.1|1.2', help: 'SOAP version (1.1)' },
  'easy-sign-soap': { type: 'string', value: '1.1|1.2', help: 'SOAP version of the Easy Sign path (as --soap)' },
  'soap-action': { type: 'boolean', help: 'SOAP 1.2 with the action parameter, which WCF services need' },
  'send-false': { type: 'boolean', help: 'sends optional booleans of Easy Sign that were not given as false' },
  element: {
    type: 'string',
    multiple: true,
    value: 'NAME=OWN',
    help: "the service's own name of an element, for example ServiceDocumentID=AcmeID",
  },
  proxy: { type: 'string', value: 'ADDRESS|none', help: 'proxy to use instead of what HTTPS_PROXY and HTTP_PROXY say' },
  ca: { type: 'string', value: 'FILE', help: 'PEM file with certificate authorities to trust as well' },
  'practice-dir': { type: 'string', value: 'DIR', help: 'keeps the data of the practice service in this folder' },
};

/** Children that several add operations have. */
const name: OptionSpec = { type: 'string', value: 'TEXT', help: 'DocumentName (the file name without its ending)' };
const description: OptionSpec = { type: 'string', value: 'TEXT', help: 'Description' };
const clientId: OptionSpec = { type: 'string', value: 'TEXT', help: 'ClientID: your own reference' };
const credit: OptionSpec = {
  type: 'string',
  value: 'N',
  help: "creditType (the first of the connection's credit types)",
};

const documentOptions: OptionSpecs = { name, description, 'client-id': clientId, credit };

export const registerOptions: OptionSpecs = {
  ...documentOptions,
  'skip-duplicates': { type: 'boolean', help: 'passes over files whose bytes were sent over this connection before' },
};

const recipients: OptionSpecs = {
  email: { type: 'string', multiple: true, value: 'ADDRESS', help: 'Emails: a signer; once for each, in order' },
  'owner-signs': { type: 'boolean', help: 'ReqOwnerESign: you sign as well' },
};

export const requestOptions: OptionSpecs = {
  ...documentOptions,
  ...recipients,
  'owner-first': { type: 'boolean', help: 'OwnerESignFirst: you sign first; needs --owner-signs' },
  'secret-word-env': { type: 'string', value: 'NAME', help: 'SecretWord: environment variable that holds it' },
};

const easySign: OptionSpecs = {
  name,
  description,
  'client-id': clientId,
  ...recipients,
  'signer-name': {
    type: 'string',
    multiple: true,
    value: 'TEXT',
    help: 'Names: once for each --email, in the same order',
  },
  cc: { type: 'string', multiple: true, value: 'ADDRESS', help: 'CCEmails: who gets a copy; once for each' },
  'xml-data': { type: 'string', value: 'FILE', help: 'XMLData: file with it, in UTF-8' },
  'unique-id': { type: 'string', value: 'TEXT', help: 'UniqueID' },
  'allow-element-add': { type: 'boolean', negatable: true, help: 'AllowSignerElementAdd: signers may add elements' },
  image: { type: 'string', value: 'FILE', help: 'AdditionalImage: file with it' },
  'enforce-click': { type: 'boolean', negatable: true, help: 'EnforceSigClick: each signature is clicked' },
  message: { type: 'string', value: 'TEXT', help: 'MessageToSigners' },
  subject: { type: 'string', value: 'TEXT', help: 'CustomSubject of the mail' },
  'id-verify': { type: 'boolean', negatable: true, help: 'IDVerify: the identity of signers is checked' },
};

export const easySignOptions: OptionSpecs = {
  ...easySign,
  'elements-from': { type: 'string', value: 'ID', help: 'ElementsFromTemplateID' },
};

export const easySignTemplateOptions: OptionSpecs = {
  ...easySign,
  name: { type: 'string', value: 'TEXT', help: 'DocumentName' },
};

export const requestsOptions: OptionSpecs = {
  list: { type: 'string', value: 'N', help: "ListType (the first of the connection's lists)" },
  max: { type: 'string', value: 'N', help: "MaxItems, any whole number of 32 bits (the connection's setting, 1000)" },
  sort: {
    type: 'string',
    value: 'BY',
    help: "date, person or document, with -desc the other way round (the service's order)",
  },
};

export const jobsOptions: OptionSpecs = {
  all: { type: 'boolean', help: 'every job of the connection that the action is for' },
  batch: { type: 'string', value: 'BATCH', help: 'those of one batch' },
  queue: { type: 'boolean', help: 'resume: ends the pause of everything' },
  held: { type: 'boolean', help: 'resume: lets the connection go on after lost answers, one add first' },
  restored: { type: 'boolean', help: 'resume: lets go what may have been sent since the register was copied' },
  state: { type: 'string', value: 'STATE', help: 'list: only jobs in this state' },
  send: { type: 'boolean', help: 'decide: they are sent all the same' },
  skip: { type: 'boolean', help: 'decide: they are passed over' },
  'yes-send-again': {
    type: 'boolean',
    help: 'send-again: also what is in doubt, which may then cost and mail people twice',
  },
};

const replace: OptionSpec = { type: 'boolean', help: 'replaces a file that is there already' };

export const downloadOptions: OptionSpecs = {
  output: {
    type: 'string',
    short: 'o',
    value: 'FILE|FOLDER',
    help: 'where to (ID.pdf in this folder)',
  },
  replace,
};

export const noteOptions: OptionSpecs = {
  message: { type: 'string', value: 'TEXT', help: 'QuickNoteMessage (or as the argument)' },
  description: { type: 'string', value: 'TEXT', help: 'description' },
};

export const verifyOptions: OptionSpecs = {
  report: {
    type: 'string',
    multiple: true,
    value: 'FILE',
    help: 'writes a report, by its ending .pdf, .csv or .json',
  },
  replace: { ...replace, help: 'replaces reports that are there already' },
  language: { type: 'string', value: 'en|de', help: 'of PDF reports (as the program is set to)' },
  audit: { type: 'boolean', help: 'remembers the folder and asks only about what changed' },
  ask: {
    type: 'string',
    value: 'HOW',
    help: 'with --audit: changes by size and time, contents by hash, or everything (changes)',
  },
};
