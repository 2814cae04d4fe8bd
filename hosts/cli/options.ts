import { Option } from 'commander';

/** An option whose value is stored under the name as typed (`client-id`, `no-id-verify`) instead of commander's camel case without `no-`. */
class NamedOption extends Option {
  override attributeName(): string {
    return this.name();
  }
}

/** An option that takes one value (`--name <TEXT>`) or none (`--json`). */
export function option(flags: string, help: string): Option {
  return new NamedOption(flags, help);
}

/** An option that may be given several times; the order is kept. (A variadic option of commander would also take the arguments that follow it.) */
export function repeatable(flags: string, help: string): Option {
  return option(flags, `${help} …`).argParser<readonly string[]>((value, before = []) => [...before, value]);
}

/** `--NAME` and `--no-NAME`. Without either, the element is left out of the request. */
export function choice(name: string, help: string): readonly Option[] {
  return [option(`--${name}`, help).conflicts(`no-${name}`), option(`--no-${name}`, `${help}: no`)];
}

const connectionHeading = 'Connection (default: the practice service):';

/** Options of every command that asks a service. */
export const connectionOptions: readonly Option[] = [
  option('--connection <NAME>', 'a connection saved by the desktop app'),
  option('--url <ADDRESS>', 'base address of the service'),
  option('--namespace <URI>', 'XML namespace of the service, with its slash at the end'),
  option('--main-path <PATH>', 'path of the main operations'),
  option('--easy-sign-path <PATH>', 'path of the Easy Sign operations, where it differs'),
  option('--soap <1.1|1.2>', 'SOAP version (1.1)'),
  option('--easy-sign-soap <1.1|1.2>', 'SOAP version of the Easy Sign path (as --soap)'),
  option('--soap-action', 'SOAP 1.2 with the action parameter, which WCF services need'),
  option('--send-false', 'sends optional booleans of Easy Sign that were not given as false'),
  repeatable('--element <NAME=OWN>', "the service's own name of an element, for example ServiceDocumentID=AcmeID"),
  option('--proxy <ADDRESS|none>', 'proxy to use instead of what HTTPS_PROXY and HTTP_PROXY say'),
  option('--ca <FILE>', 'PEM file with certificate authorities to trust as well'),
  option('--practice-dir <DIR>', 'keeps the data of the practice service in this folder'),
].map((one) => one.helpGroup(connectionHeading));

/** Elements of every operation that adds a document. */
export const documentOptions: readonly Option[] = [
  option('--name <TEXT>', 'DocumentName (the file name without its ending)'),
  option('--description <TEXT>', 'Description'),
  option('--client-id <TEXT>', 'ClientID: your own reference'),
];

export const creditOption = option('--credit <N>', "creditType (the first of the connection's credit types)");
