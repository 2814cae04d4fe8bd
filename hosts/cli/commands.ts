import type { Command } from './command.ts';
import { scheduleCommand, tokenCommand, versionCommand } from './commands/ask-service.ts';
import { doctorCommand } from './commands/doctor.ts';
import { detailsCommand, downloadCommand, statusCommand } from './commands/documents.ts';
import { easySignCommand, easySignTemplateCommand } from './commands/easy-sign.ts';
import { jobsCommand } from './commands/jobs.ts';
import { noteCommand } from './commands/note.ts';
import { pdfSignaturesCommand } from './commands/pdf-signatures.ts';
import { policyCommand } from './commands/policy.ts';
import { practiceCommand } from './commands/practice.ts';
import { registerCommand } from './commands/register.ts';
import { requestSignaturesCommand } from './commands/request-signatures.ts';
import { requestsCommand } from './commands/requests.ts';
import { supportCommand } from './commands/support.ts';
import { teamCommand } from './commands/team.ts';
import { trustListCommand } from './commands/trust-list.ts';
import { verifyCommand } from './commands/verify.ts';

/** In the order of the help. */
export const commands: readonly Command[] = [
  versionCommand,
  scheduleCommand,
  tokenCommand,
  registerCommand,
  requestSignaturesCommand,
  easySignCommand,
  easySignTemplateCommand,
  statusCommand,
  detailsCommand,
  downloadCommand,
  requestsCommand,
  noteCommand,
  jobsCommand,
  verifyCommand,
  pdfSignaturesCommand,
  trustListCommand,
  practiceCommand,
  doctorCommand,
  policyCommand,
  teamCommand,
  supportCommand,
];
