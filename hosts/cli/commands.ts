import type { Command } from './command.ts';

/** In the order of the help. Each is loaded when it is asked for: together they are a third of what a command loads before it begins. */
const loaders: Readonly<Record<string, () => Promise<Command>>> = {
  version: async () => (await import('./commands/plain-texts.ts')).versionCommand,
  schedule: async () => (await import('./commands/plain-texts.ts')).scheduleCommand,
  token: async () => (await import('./commands/plain-texts.ts')).tokenCommand,
  register: async () => (await import('./commands/register.ts')).registerCommand,
  'request-signatures': async () => (await import('./commands/request-signatures.ts')).requestSignaturesCommand,
  'easy-sign': async () => (await import('./commands/easy-sign.ts')).easySignCommand,
  'easy-sign-template': async () => (await import('./commands/easy-sign.ts')).easySignTemplateCommand,
  status: async () => (await import('./commands/documents.ts')).statusCommand,
  details: async () => (await import('./commands/documents.ts')).detailsCommand,
  download: async () => (await import('./commands/documents.ts')).downloadCommand,
  requests: async () => (await import('./commands/requests.ts')).requestsCommand,
  note: async () => (await import('./commands/note.ts')).noteCommand,
  jobs: async () => (await import('./commands/jobs.ts')).jobsCommand,
  verify: async () => (await import('./commands/verify.ts')).verifyCommand,
  'pdf-signatures': async () => (await import('./commands/pdf-signatures.ts')).pdfSignaturesCommand,
  'trust-list': async () => (await import('./commands/trust-list.ts')).trustListCommand,
  practice: async () => (await import('./commands/practice.ts')).practiceCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
  policy: async () => (await import('./commands/policy.ts')).policyCommand,
  team: async () => (await import('./commands/team.ts')).teamCommand,
  support: async () => (await import('./commands/support.ts')).supportCommand,
};

/** The command of this name; undefined if there is none. */
export async function commandNamed(name: string | undefined): Promise<Command | undefined> {
  return name !== undefined && Object.hasOwn(loaders, name) ? await loaders[name]?.() : undefined;
}

export function allCommands(): Promise<readonly Command[]> {
  return Promise.all(Object.values(loaders).map((load) => load()));
}
