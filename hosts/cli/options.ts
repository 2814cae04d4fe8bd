import { Option } from 'commander';
import { languageTags } from '../../contract/languages.ts';
import { english, type Saying, type Texts } from './texts.ts';

/** An option whose value is stored under the name as typed (`client-id`, `no-id-verify`) instead of commander's camel case without `no-`. */
export class NamedOption extends Option {
  private readonly say: Saying;
  private heading: Saying | null = null;

  constructor(flags: string, say: Saying) {
    super(flags, say(english));
    this.say = say;
  }

  override attributeName(): string {
    return this.name();
  }

  /** Lists the option under a heading of its own. */
  below(heading: Saying): this {
    this.heading = heading;
    return this;
  }

  /** Describes the option in a language. */
  describe(t: Texts): this {
    this.description = this.say(t);
    return this.heading ? this.helpGroup(this.heading(t)) : this;
  }
}

/** An option that takes one value (`--name <TEXT>`) or none (`--json`). */
export function option(flags: string, say: Saying): NamedOption {
  return new NamedOption(flags, say);
}

/** An option that may be given several times; the order is kept. (A variadic option of commander would also take the arguments that follow it.) */
export function repeatable(flags: string, say: Saying): NamedOption {
  return option(flags, (t) => t('options.repeatable', { help: say(t) })).argParser<readonly string[]>(
    (value, before = []) => [...before, value],
  );
}

/** `--NAME` and `--no-NAME`. Without either, the element is left out of the request. */
export function choice(name: string, say: Saying): readonly NamedOption[] {
  return [
    option(`--${name}`, say).conflicts(`no-${name}`),
    option(`--no-${name}`, (t) => t('options.no', { help: say(t) })),
  ];
}

/** Read before everything else: it counts for the sentence about a wrong command line too. */
export const langOption = option('--lang <TAG>', (t) => t('help.lang', { tags: languageTags.join(', ') }));

/** Options of every command. */
export const commonOptions: readonly NamedOption[] = [
  option('--json', (t) => t('help.json')),
  langOption,
  option('-h, --help', (t) => t('help.help')),
];

/** Options of every command that asks a service. */
export const connectionOptions: readonly NamedOption[] = [
  option('--connection <NAME>', (t) => t('options.connection')),
  option('--url <ADDRESS>', (t) => t('options.url')),
  option('--namespace <URI>', (t) => t('options.namespace')),
  option('--main-path <PATH>', (t) => t('options.mainPath')),
  option('--easy-sign-path <PATH>', (t) => t('options.easySignPath')),
  option('--soap <1.1|1.2>', (t) => t('options.soap')),
  option('--easy-sign-soap <1.1|1.2>', (t) => t('options.easySignSoap')),
  option('--soap-action', (t) => t('options.soapAction')),
  option('--send-false', (t) => t('options.sendFalse')),
  repeatable('--element <NAME=OWN>', (t) => t('options.element')),
  option('--proxy <ADDRESS|none>', (t) => t('options.proxy')),
  option('--ca <FILE>', (t) => t('options.ca')),
  option('--client-cert <FILE>', (t) => t('options.clientCert')),
  option('--client-key <FILE>', (t) => t('options.clientKey')),
  option('--allow-http', (t) => t('options.allowHttp')),
  option('--practice-dir <DIR>', (t) => t('options.practiceDir')),
].map((one) => one.below((t) => t('help.connection')));

/** Elements of every operation that adds a document. */
export const documentOptions: readonly NamedOption[] = [
  option('--name <TEXT>', (t) => t('options.name')),
  option('--description <TEXT>', (t) => t('options.description')),
  option('--client-id <TEXT>', (t) => t('options.clientId')),
];

/** Of every command that sends something which cannot be undone. */
export const waitOption = option('--wait-before <SECONDS>', (t) => t('options.waitBefore'));

export const creditOption = option('--credit <N>', (t) => t('options.credit'));
