import type { UpdateState } from '../../../contract/app.ts';
import type { ConnectionSettings } from '../../../contract/connections.ts';
import type { HandlersOf } from '../../../contract/index.ts';
import type { Store } from '../../store/store.ts';
import { proxyFor } from '../connections/service-clients.ts';
import { codeOf, failureOf } from '../foundation/app-error.ts';
import type { Emit, Listeners } from '../foundation/event-emitter.ts';
import type { OpenUpdater, Ports, UpdateOffer, Updater } from '../foundation/ports.ts';
import { throttled } from '../foundation/throttled.ts';
import type { Notices } from '../settings/app-calls.ts';
import type { Policy } from '../settings/policy.ts';
import { type FeedWay, fetchFile, problemOf } from './fetch-file.ts';
import {
  findProgramFile,
  type LaidFile,
  layBeside,
  mayWriteIn,
  type ProgramFile,
  removeLaidFile,
  replaceByLaidFile,
} from './replace-program.ts';
import {
  assertCurrent,
  decideUpdates,
  type FeedSettings,
  fetchSignedFeed,
  inFeed,
  readFeed,
  type Target,
} from './signed-feed.ts';

/** Updates of the program by itself. Nothing is asked of anybody unless the settings name a feed and a key. */
export type Updates = ReturnType<typeof createUpdates>;

interface Needs {
  readonly ports: Pick<Ports, 'updater' | 'installation' | 'version' | 'network' | 'log'>;
  readonly policy: Pick<Policy, 'organisation' | 'isUnreadable' | 'onChange'>;
  readonly store: Pick<Store, 'settings'>;
  readonly notices: Notices;
  readonly emit: Emit;
  readonly onEvent: Listeners['onEvent'];
  /** True while jobs wait or are sent, or tasks run. */
  readonly isWorking: () => boolean;
  readonly target?: Target;
  /** Times of the automatic checks. */
  readonly pace?: { readonly firstMs: number; readonly everyMs: number };
}

/** Not while the program starts. */
const usualPace = { firstMs: 60_000, everyMs: 4 * 3_600_000 };
const changesEveryMs = 250;
const checkedKey = 'updates.checked';
/** Date of the latest list that was seen, behind the feed's address. */
const newestKey = 'updates.newest';
/** The version that a run began to install; the next run looks whether it is that one. */
const installingKey = 'updates.installing';
/** Path of the file that was laid beside the program: the next run removes it if this one was killed. */
const laidKey = 'updates.laid';

const nothing: UpdateState = {
  stage: 'idle',
  offReason: null,
  version: null,
  receivedBytes: 0,
  totalBytes: 0,
  lastCheckedAt: null,
  problem: null,
};

export function createUpdates(needs: Needs) {
  const session = new UpdateSession(needs);
  return {
    state: (): UpdateState => session.state,
    /** Starts a check unless one runs, or an update is ready. */
    check: (): UpdateState => session.check(),
    restart: (): 'restarting' | 'work-running' | 'not-ready' => session.restart(),
    /** Stops everything. Answers what installs the update once the rest of the program has ended; it never rejects. */
    close: (): (() => Promise<void>) => session.close(),
  };
}

/** What holds for one feed: a change of the settings ends it, with all that it fetched. */
interface Channel {
  readonly settings: FeedSettings;
  readonly aborted: AbortController;
  /** Loaded when it is first needed. */
  updater: Promise<OpenUpdater> | null;
  offer: UpdateOffer | null;
  laid: LaidFile | null;
}

class UpdateSession {
  state: UpdateState;
  private readonly needs: Needs;
  private readonly target: Target;
  private readonly published;
  private readonly stopEvents: () => void;
  private readonly onPolicy = () => void this.decide();
  private channel: Channel | null = null;
  /** As it was when this run began; null for a program that is no single file, or cannot be replaced. */
  private readonly programFile: Promise<ProgramFile | null>;
  private timer: NodeJS.Timeout | undefined;
  private startsAgain = false;
  private isClosed = false;

  constructor(needs: Needs) {
    this.needs = needs;
    this.target = needs.target ?? { platform: process.platform, arch: process.arch };
    const { store, emit, onEvent, policy } = needs;
    this.state = { ...nothing, stage: 'off', offReason: 'source', lastCheckedAt: store.settings.get(checkedKey) };
    const { program } = needs.ports.updater ?? {};
    this.programFile = program ? findProgramFile(program) : Promise.resolve(null);
    this.removeLeftFile();
    this.published = throttled(changesEveryMs, () => emit('updates.changed', this.state));
    this.noticeFailedInstallation();
    this.stopEvents = onEvent((name) => {
      const mayBeFree = name === 'jobs.changed' || name === 'tasks.ended';
      if (mayBeFree && this.state.stage === 'available' && this.channel) void this.fetchIfFree(this.channel);
    });
    policy.onChange.add(this.onPolicy);
    void this.decide();
  }

  check(): UpdateState {
    const { channel, state } = this;
    if (channel && state.stage === 'idle') void this.checkChannel(channel);
    else if (channel && state.stage === 'available') void this.fetchIfFree(channel);
    return this.state;
  }

  restart(): 'restarting' | 'work-running' | 'not-ready' {
    const { channel } = this;
    if (!channel || this.state.stage !== 'ready') return 'not-ready';
    if (this.needs.isWorking()) return 'work-running';
    this.startsAgain = true;
    // After the answer has left.
    setImmediate(() => void channel.updater?.then((updater) => updater.quit()));
    return 'restarting';
  }

  close(): () => Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.stopEvents();
    this.needs.policy.onChange.delete(this.onPolicy);
    this.published.stop();
    const { channel, state } = this;
    channel?.aborted.abort();
    if (!channel || state.stage !== 'ready' || state.version === null) return async () => undefined;
    // Jobs that wait are sent at the next start; only then is there an end at which nothing is in progress.
    if (this.needs.isWorking()) return async () => undefined;
    this.needs.store.settings.put(installingKey, state.version);
    return () => this.install(channel);
  }

  /** Decides whether there are updates, at the start and after each change of the policy. */
  private async decide(): Promise<void> {
    const { ports, policy } = this.needs;
    const mayReplace = ports.updater !== undefined && (await this.mayReplace(ports.updater));
    if (this.isClosed) return;
    const decision = decideUpdates(ports.updater ? ports.installation : 'source', policy, mayReplace);
    const before = this.channel?.settings;
    if (decision.off === null && before && JSON.stringify(before) === JSON.stringify(decision.settings)) return;
    this.drop();
    if (decision.off !== null) return this.set({ ...nothing, stage: 'off', offReason: decision.off });
    this.channel = {
      settings: decision.settings,
      aborted: new AbortController(),
      updater: null,
      offer: null,
      laid: null,
    };
    this.set({ ...nothing, problem: this.state.problem });
    this.schedule((this.needs.pace ?? usualPace).firstMs);
  }

  private async mayReplace({ program, folder }: Updater): Promise<boolean> {
    return program === null ? mayWriteIn(folder) : (await this.programFile) !== null;
  }

  private drop(): void {
    clearTimeout(this.timer);
    this.channel?.aborted.abort();
    if (this.channel?.laid) void removeLaidFile(this.channel.laid.path);
    this.channel = null;
    const { notices } = this.needs;
    for (const { id, kind } of notices.all()) if (kind === 'update-ready') notices.dismiss(id);
  }

  private schedule(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      // What a person sends is not held up by a check that nobody asked for.
      if (!this.needs.isWorking()) this.check();
      this.schedule((this.needs.pace ?? usualPace).everyMs);
    }, ms).unref();
  }

  private async checkChannel(channel: Channel): Promise<void> {
    this.set({ stage: 'checking', version: null, problem: null });
    try {
      const updater = await this.opened(channel);
      const found = await updater.check();
      if (channel.aborted.signal.aborted) return;
      const lastCheckedAt = new Date().toISOString();
      this.needs.store.settings.put(checkedKey, lastCheckedAt);
      if (found.kind !== 'newer') {
        return this.set({ stage: 'idle', lastCheckedAt, problem: found.kind === 'older' ? 'older' : null });
      }
      this.set({ stage: 'available', version: found.version, lastCheckedAt });
      await this.fetchIfFree(channel);
    } catch (error) {
      this.failed(channel, error);
    }
  }

  private async fetchIfFree(channel: Channel): Promise<void> {
    if (this.needs.isWorking() || this.state.stage !== 'available') return;
    this.set({ stage: 'downloading', receivedBytes: 0, totalBytes: channel.offer?.size ?? 0 });
    try {
      const fetched = await (await this.opened(channel)).download();
      const program = await this.programFile;
      if (program) channel.laid = await layBeside(program, fetched);
      if (channel.laid) this.needs.store.settings.put(laidKey, channel.laid.path);
      if (channel.aborted.signal.aborted) return void (channel.laid && removeLaidFile(channel.laid.path));
      this.set({ stage: 'ready' });
      this.needs.notices.add('update-ready', this.state.version);
    } catch (error) {
      this.failed(channel, error);
    }
  }

  private failed(channel: Channel, error: unknown): void {
    if (channel.aborted.signal.aborted) return;
    const problem = problemOf(error);
    const { code, detail } = failureOf(error) ?? { code: codeOf(error), detail: undefined };
    this.needs.ports.log.error('no update', { reason: problem, code, detail });
    this.set({ ...nothing, problem });
  }

  /** The part that needs Electron, loaded once for each channel. */
  private opened(channel: Channel): Promise<OpenUpdater> {
    const { ports } = this.needs;
    if (!ports.updater) throw new Error('there is no updater');
    channel.updater ??= ports.updater.open({
      publisher: channel.settings.publisher,
      offer: async (parse) => {
        const { feed } = channel.settings;
        const text = await fetchSignedFeed(
          channel.settings,
          this.target,
          await this.wayTo(feed),
          channel.aborted.signal,
        );
        channel.offer = this.latest(feed, readFeed(parse(text), this.target));
        return channel.offer;
      },
      fetch: async (path) => {
        const { offer, settings, aborted } = channel;
        if (!offer) throw new Error('nothing was offered');
        const way = await this.wayTo(settings.feed);
        const onReceived = (receivedBytes: number) => this.set({ receivedBytes });
        const url = inFeed(settings.feed, offer.fileName);
        await fetchFile(url, path, offer, { way, signal: aborted.signal, onReceived });
      },
    });
    // What could not be loaded is tried again at the next check.
    channel.updater.catch(() => {
      channel.updater = null;
    });
    return channel.updater;
  }

  /** The offer, if no later one was seen at this feed. */
  private latest(feed: string, offer: UpdateOffer): UpdateOffer {
    const { settings } = this.needs.store;
    const seen = settings.get(newestKey)?.split(' ');
    assertCurrent(offer, seen?.[0] === feed ? (seen[1] ?? null) : null);
    settings.put(newestKey, `${feed} ${offer.issuedAt}`);
    return offer;
  }

  /** The proxy and the certificates that the policy gives to all connections, else the system's. */
  private async wayTo(feed: string): Promise<FeedWay> {
    const { policy, ports } = this.needs;
    const proxy = policy.organisation('proxy') ?? 'system';
    const setting: ConnectionSettings['proxy'] =
      proxy === 'system' || proxy === 'none' ? { mode: proxy } : { mode: 'manual', address: proxy };
    return {
      proxy: await proxyFor(setting, feed, ports.network, ports.log),
      extraCa: policy.organisation('extraCa') ?? '',
    };
  }

  private async install({ updater, offer, laid }: Channel): Promise<void> {
    const { log } = this.needs.ports;
    const program = await this.programFile;
    try {
      const opened = await updater;
      if (!opened || !offer) return;
      try {
        if (program && laid) await replaceByLaidFile(program, laid, offer.sha512);
      } finally {
        // Who wanted a restart gets one, of the old program if need be.
        opened.install(this.startsAgain);
      }
      log.info('update installed', { version: offer.version });
    } catch (error) {
      log.error('update not installed', { reason: problemOf(error), code: codeOf(error) });
    }
  }

  private removeLeftFile(): void {
    const { settings } = this.needs.store;
    const left = settings.get(laidKey);
    if (left === null) return;
    settings.remove(laidKey);
    void removeLaidFile(left);
  }

  private noticeFailedInstallation(): void {
    const { store, ports, notices } = this.needs;
    const version = ports.updater ? store.settings.get(installingKey) : null;
    if (version === null) return;
    store.settings.remove(installingKey);
    if (version === ports.version) return;
    this.state = { ...this.state, problem: 'not-installed' };
    notices.add('update-failed', version);
  }

  private set(change: Partial<UpdateState>): void {
    if (this.isClosed) return;
    const lastCheckedAt = change.lastCheckedAt ?? this.state.lastCheckedAt;
    this.state = { ...this.state, ...change, lastCheckedAt };
    this.published.request();
  }
}

/** Calls about updates of the program itself. */
export function updatesCalls(updates: Updates): HandlersOf<'updates'> {
  return {
    'updates.state': async () => updates.state(),
    'updates.check': async () => updates.check(),
    'updates.restart': async () => updates.restart(),
  };
}
