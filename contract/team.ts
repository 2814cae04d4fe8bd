import { z } from 'zod';
import { call, event, lazyObject } from './call.ts';
import { connectionSettings, holdsPrivateKey } from './connections.ts';
import type { Failure } from './failure.ts';
import { documentIdText, lineOf, localId, password, sought, xmlText } from './text.ts';

/** A colleague at a computer, as the team register names them. */
export interface TeamPerson {
  readonly person: string;
  readonly computer: string;
}

/** One who joined a register. */
export interface TeamMember extends TeamPerson {
  /** When the program was last heard of, ISO 8601, UTC, by the database's clock. */
  readonly seenAt: string;
}

/** What the database lets this person do: read; send as well; decide about doubts of others as well. */
export const teamRoles = ['reader', 'member', 'lead'] as const;
export type TeamRole = (typeof teamRoles)[number];

const hostName = lineOf(255).refine(
  (text) => /^[\p{L}\p{N}._:-]+$/u.test(text),
  'must be a host name or an IP address',
);

/** Where a team's register is, the same for everybody in it: set by a policy, told by an invitation. */
export const teamPlace = z.lazy(() =>
  z.object({
    host: hostName,
    port: z.int().min(1).max(65_535).default(5432),
    database: lineOf(63),
    /** Name of the team in that database. */
    team: lineOf(80).default('team'),
    /** PEM text of certificate authorities to trust besides the system's; empty for none. Never with a private key. */
    ca: xmlText(200_000)
      .refine((text) => !holdsPrivateKey(text), 'must have no private key')
      .default(''),
  }),
);
export type TeamPlace = z.output<typeof teamPlace>;

const login = lineOf(63);

/** What a second person needs to join: a small text without any secret. The number says which form it has. */
export const teamInvitation = z.lazy(() =>
  teamPlace.unwrap().extend({
    sealdeskTeam: z.literal(1),
    user: login.optional(),
    /** The service of the team; without it only who has the connection can join. */
    connection: connectionSettings.optional(),
  }),
);

export type TeamInvitation = z.output<typeof teamInvitation>;

/** How one person joins a register. The password is not in here: it is in the keychain. */
export const teamSettings = lazyObject(() => ({
  ...teamPlace.unwrap().shape,
  user: login,
  /** How colleagues see this person; empty for the name of the account on this computer. */
  person: xmlText(80).trim().default(''),
}));

export type TeamSettings = z.output<typeof teamSettings>;

/** Names a register and its user by all that decides who gets the password. */
export const passwordPlace = ({ host, port, database, user, ca }: Omit<TeamSettings, 'team' | 'person'>): string =>
  JSON.stringify([host.toLowerCase(), port, database, user, ca]);

/**
 * State of a team register; docs/team-register.md draws how one follows another. `connecting`: not reached yet in this run. `catching-up`: connected, and many changes of
 * colleagues are still to come. `read-only`: connected as a reader. `away`: it cannot be reached. `closed`: it was restored to an earlier state. `busy`: it answers, but
 * somebody keeps what is to be written locked, or takes all connections. `newer`: its schema is for a newer version. `refused`: something has to be put right first (`failure` says what). In the last five adds wait.
 */
type TeamLinkState =
  | 'connecting'
  | 'catching-up'
  | 'connected'
  | 'read-only'
  | 'away'
  | 'busy'
  | 'closed'
  | 'newer'
  | 'refused';

/** A connection's team register as windows see it. */
export interface TeamLink {
  readonly connectionId: string;
  readonly settings: TeamSettings;
  readonly passwordKept: 'none' | 'keychain' | 'this-run';
  readonly state: TeamLinkState;
  /** Since when it has this state, ISO 8601, UTC. */
  readonly since: string;
  /** Why it is away or can only be read: its `detail` begins with `team-`; or why what colleagues did cannot be stored here (`catching-up`). Null otherwise. */
  readonly failure: Failure | null;
  /** Null until it was connected once in this run. */
  readonly role: TeamRole | null;
  /** Outcomes that the register does not have yet: they are sent as soon as it is back. Claims whose work may still be sent count too. */
  readonly unreportedCount: number;
  /** What this program registered before it joined, or while it was out of the team, and how much of that is reported; absent if nothing is left. Until then adds wait. */
  readonly earlier?: { readonly reported: number; readonly total: number };
  /** When the programs of the team may make automatic calls again, ISO 8601, UTC, if this program found those of this hour used up; null otherwise. */
  readonly callsFreeAt: string | null;
}

export interface TeamState {
  /** One for each connection that has joined a team. */
  readonly links: readonly TeamLink[];
  /** Registers that the organisation's policy sets for its connections; absent if there are none. */
  readonly provided?: readonly { readonly connectionId: string; readonly place: TeamPlace }[];
}

/** What a check of a team register found. Faults that make it unusable are the call's failure instead. */
export interface TeamCheck {
  readonly role: TeamRole;
  /** For example `15.18`. */
  readonly serverVersion: string;
  /** False for a reader, if the schema is newer than this program, which can be read then, and with a `problem`. */
  readonly canSend: boolean;
  /** Why the database refused a claim that was tried; null if it did not, or nobody may make one. */
  readonly problem: Failure | null;
  readonly isEncrypted: boolean;
  /** The clock of this computer minus that of the database, in milliseconds. Nothing is decided by clocks. */
  readonly clockOffByMs: number;
  /** True if the database says that it keeps what it committed when its computer fails. */
  readonly isDurable: boolean;
  readonly people: readonly TeamMember[];
}

/** State of a claim: the right to send one add. Those that are `refused` or `released` no longer hold others back. */
export type TeamClaimState = 'claimed' | 'done' | 'in-doubt' | 'refused' | 'released';

/** A claim as the team register has it. */
export interface TeamClaim {
  readonly claimId: string;
  readonly by: TeamPerson;
  /** True if this program made it. */
  readonly isMine: boolean;
  readonly title: string;
  readonly state: TeamClaimState;
  /** ISO 8601, UTC, by the database's clock; of what left without a claim, when that was, by its program's. */
  readonly claimedAt: string;
  /** When its program was last heard of, by the database's clock. */
  readonly seenAt: string;
  /** True if its program has not been heard of for two minutes. The claim stays: it never passes to somebody else by itself. */
  readonly isSilent: boolean;
  /** Who declared it in doubt in place of its program; null if nobody did. */
  readonly declaredBy: string | null;
  /** True if it was sent although another claim on the same existed, or without the register. */
  readonly isSecond: boolean;
}

export const teamEventKinds = [
  'joined',
  'left',
  'registered',
  'refused',
  'in-doubt',
  'released',
  'sent-anyway',
  'sent-without-register',
  'declared-in-doubt',
  'settled',
  'assigned',
  'note-added',
  'due-changed',
  'shared',
  'unshared',
] as const;

/** Something that a member of the team did. */
export interface TeamEvent {
  readonly eventId: string;
  /** ISO 8601, UTC, by the database's clock. */
  readonly at: string;
  readonly by: TeamPerson;
  readonly kind: (typeof teamEventKinds)[number];
  /** Name of the document or of what is shared, or the assignee; empty if the kind needs none. */
  readonly title: string;
  readonly documentId: string | null;
}

export interface TeamNote {
  readonly noteId: string;
  readonly at: string;
  readonly by: TeamPerson;
  readonly text: string;
}

/** In one answer, so that it is short however many there are. */
export const notesAtOnce = 50;

/** What the team keeps about one request, but for its notes. */
export interface TeamRequest {
  readonly documentId: string;
  /** Empty if nobody is assigned. */
  readonly assignee: string;
  /** ISO date (`2026-11-23`); null for none. */
  readonly dueOn: string | null;
}

const onConnection = z.strictObject({ connectionId: localId });
const onClaim = () => onConnection.extend({ claimId: localId });
const onRequest = () => onConnection.extend({ documentId: documentIdText });
const withPassword = () => onConnection.extend({ settings: teamSettings, password: password.optional() });
const inviting = () => onConnection.extend({ login: login.optional(), role: z.enum(teamRoles).default('member') });

export const team = {
  'team.state': call(() => ({})).answers<TeamState>(),
  /** Connects once with these settings and says what is found; changes nothing. Without a password the kept one is used. */
  'team.check': call(withPassword).answers<TeamCheck>(),
  /** What `team.setUp` would do, as SQL in order; changes nothing. Where there is a register already (not `isEmpty`), nothing is set up. */
  'team.plan': call(withPassword).answers<{
    readonly isEmpty: boolean;
    readonly statements: readonly string[];
  }>(),
  /** Sets the team up in an empty database, in one transaction, with the user of the settings as its first lead. Refused (bad-input) if there is a register. */
  'team.setUp': call(withPassword).answers<null>(),
  /**
   * The invitation to the team that a connection has joined, as one line without any secret, and SQL that lets its login in, for whoever manages the database; nothing
   * without a login.
   */
  'team.invite': call(inviting).answers<{ readonly line: string; readonly statements: readonly string[] }>(),
  /** Writes the invitation where the person chooses; null if nothing was chosen. */
  'team.saveInvitation': call(inviting).answers<{ readonly fileName: string } | null>(),
  /** Reads an invitation from a file or a line, to be shown; joins nothing. Anything else is bad-input. */
  'team.readInvitation': call(() =>
    z.union([z.strictObject({ token: localId }), z.strictObject({ line: z.string().max(600_000) })]),
  ).answers<TeamInvitation>(),
  /**
   * Checks and, if that succeeds, joins: from here on each add of the connection is claimed first. Also changes the settings of a team that was joined. A team has one
   * service: another one is refused (`team-other-service`), unless a person says that it is the same under another name (`isSameService`).
   */
  'team.join': call(() => withPassword().extend({ isSameService: z.boolean().default(false) })).answers<TeamLink>(),
  /**
   * Leaves: adds are no longer claimed. Copies of colleagues' documents stay. Refused (bad-input) while outcomes are not reported yet, unless `evenUnreported`.
   */
  'team.leave': call(() => onConnection.extend({ evenUnreported: z.boolean().default(false) })).answers<null>(),
  /** Tries a register that is away at once. With `password`, which is from now on the one for what the connection has joined, also one that lacked it. */
  'team.tryNow': call(() => onConnection.extend({ password: password.min(1).optional() })).answers<null>(),
  /**
   * A person's decision to send the waiting adds of a batch although the register is away; of none (0) if it is not. They are recorded here and reported when it is back,
   * which ends the decision.
   */
  'team.sendWithout': call(() => ({ batchId: localId })).answers<{ readonly count: number }>(),
  /** Claims that have no outcome yet, and those in doubt; oldest first, at most 500. */
  'team.openClaims': call(() => onConnection).answers<readonly TeamClaim[]>(),
  /** A lead declares the open claim of a colleague whose program is gone to be in doubt. Written down with the name. */
  'team.declareInDoubt': call(onClaim).answers<null>(),
  /** A lead decides about a claim in doubt: it became this document, or (null) nothing was sent and others may send it. */
  'team.settle': call(() => onClaim().extend({ documentId: documentIdText.nullable() })).answers<null>(),
  /** What members did, newest first. `before`: the last event of the page before. `search`: words that person, title and document ID contain. */
  'team.events': call(() =>
    onConnection.extend({ ...sought, before: localId.optional(), limit: z.int().min(1).max(200).default(50) }),
  ).answers<readonly TeamEvent[]>(),
  'team.people': call(() => onConnection).answers<readonly TeamMember[]>(),
  /** What the team keeps about these requests; those without anything are left out. */
  'team.requests': call(() => onConnection.extend({ documentIds: z.array(documentIdText).min(1).max(200) })).answers<
    readonly TeamRequest[]
  >(),
  /** Notes about a request, newest first, `notesAtOnce` of them. `before`: the last one of the page before. */
  'team.notes': call(() => onRequest().extend({ before: z.uuid().max(36).optional() })).answers<readonly TeamNote[]>(),
  'team.assign': call(() => onRequest().extend({ assignee: xmlText(80).trim() })).answers<null>(),
  'team.setDue': call(() => onRequest().extend({ dueOn: z.iso.date().max(10).nullable() })).answers<null>(),
  'team.addNote': call(() => onRequest().extend({ text: xmlText(4000).trim().min(1) })).answers<null>(),
};

export const teamEvents = {
  'team.changed': event<TeamState>(),
  /** Colleagues changed something about requests of this connection: what is shown of them is read again. */
  'team.requestsChanged': event<{ readonly connectionId: string }>(),
};
