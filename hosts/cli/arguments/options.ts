import { Option } from 'commander';
import { t } from '../output/texts.ts';

/** An option whose value is stored under the name as typed (`client-id`, `no-id-verify`) instead of commander's camel case without `no-`. */
export class NamedOption extends Option {
  override attributeName(): string {
    return this.name();
  }
}

/** An option that takes one value (`--name <TEXT>`) or none (`--json`). */
export function option(flags: string, help: string): NamedOption {
  return new NamedOption(flags, help);
}

/** An option that may be given several times; the order is kept. (A variadic option of commander would also take the arguments that follow it.) */
export function repeatable(flags: string, help: string): NamedOption {
  return option(flags, t('options.repeatable', { help })).argParser<readonly string[]>((value, before = []) => [
    ...before,
    value,
  ]);
}

/** `--NAME` and `--no-NAME`. Without either, the element is left out of the request. */
export function choice(name: string, help: string): readonly NamedOption[] {
  return [option(`--${name}`, help).conflicts(`no-${name}`), option(`--no-${name}`, t('options.no', { help }))];
}

/** Options of every command. */
export const commonOptions: readonly NamedOption[] = [
  option('--json', t('help.json')),
  option('-h, --help', t('help.help')),
];

/** Options of every command that asks a service. */
export const connectionOptions: readonly NamedOption[] = [
  option('--connection <NAME>', t('options.connection')),
  option('--url <ADDRESS>', t('options.url')),
  option('--namespace <URI>', t('options.namespace')),
  option('--main-path <PATH>', t('options.mainPath')),
  option('--easy-sign-path <PATH>', t('options.easySignPath')),
  option('--soap <1.1|1.2>', t('options.soap')),
  option('--easy-sign-soap <1.1|1.2>', t('options.easySignSoap')),
  option('--soap-action', t('options.soapAction')),
  option('--send-false', t('options.sendFalse')),
  repeatable('--element <NAME=OWN>', t('options.element')),
  option('--proxy <ADDRESS|none>', t('options.proxy')),
  option('--ca <FILE>', t('options.ca')),
  option('--client-cert <FILE>', t('options.clientCert')),
  option('--client-key <FILE>', t('options.clientKey')),
  option('--allow-http', t('options.allowHttp')),
  option('--practice-dir <DIR>', t('options.practiceDir')),
].map((one) => one.helpGroup(t('help.connection')));

/** Elements of every operation that adds a document. */
export const documentOptions: readonly NamedOption[] = [
  option('--name <TEXT>', t('options.name')),
  option('--description <TEXT>', t('options.description')),
  option('--client-id <TEXT>', t('options.clientId')),
];

/** Of every command that sends something which cannot be undone. */
export const waitOption = option('--wait-before <SECONDS>', t('options.waitBefore'));

export const creditOption = option('--credit <N>', t('options.credit'));
