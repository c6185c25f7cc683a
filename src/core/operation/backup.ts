import { newSecret } from '../access/auth/secrets.ts';
import type { TenantService } from '../access/auth/tenants.ts';
import type { AuditLog } from '../base/audit/log.ts';
import { realTimers, type Timers } from '../base/concurrency/timers.ts';
import type { Caller } from '../base/shared/caller.ts';
import type { Effects } from '../base/shared/effects.ts';
import { conflict, notFound, RuntimeError } from '../base/shared/errors.ts';
import { formatUtc } from '../base/time/time.ts';
import type { BackupOutcome, BackupStatus } from './backup-schema.ts';

/** A backup that is being made. */
export interface OpenBackup {
  /** Resolves once everything is copied and was found sound. */
  prepared: Promise<PreparedFacts>;
  /** The next piece of the file; null at its end. One call at a time. */
  next(): Promise<{ chunk: Uint8Array; packed: number } | null>;
  /** Ends it, in the middle too, and removes the copy. Can be repeated. */
  close(): Promise<void>;
}

export interface PreparedFacts {
  events: number;
  /** Bytes to be packed. */
  size: number;
}

export interface BackupMaker {
  /** Why this installation has none; null: it has. */
  readonly refusal: string | null;
  /** Throws `conflict` while the command makes one, `unavailable` without the memory for it. */
  open(passphrase: string): OpenBackup;
}

export interface BackupParts {
  tenants: Pick<TenantService, 'requireOperator'>;
  maker: BackupMaker;
  audit: Pick<AuditLog, 'record'>;
  effects: Pick<Effects, 'now'>;
  timers?: Timers;
  onError: (error: unknown) => void;
}

/** A prepared backup waits for its download so long. */
const TICKET_MS = 180_000;

interface Job {
  ticket: string;
  name: string;
  sessionId: string | undefined;
  startedAt: number;
  open: OpenBackup;
  prepared: PreparedFacts | null;
  isFetched: boolean;
  sentBytes: number;
  packedBytes: number;
  isOver: boolean;
  stopWaiting: () => void;
}

/**
 * Backups for the browser, one at a time. Whoever begins one gets a ticket: the address of a
 * download that works once, in the same session. So a plain link saves the file, and no page holds
 * it in memory.
 */
export class BackupDownloads {
  private readonly parts: BackupParts;
  private job: Job | null = null;
  private last: BackupStatus['last'] = null;

  constructor(parts: BackupParts) {
    this.parts = parts;
  }

  async status(caller: Caller): Promise<BackupStatus> {
    const { tenants, maker } = this.parts;
    await tenants.requireOperator(caller);
    const { job } = this;
    const current = job && {
      state: job.isFetched ? ('sending' as const) : job.prepared ? ('ready' as const) : ('copying' as const),
      startedAt: formatUtc(job.startedAt),
      isOwn: job.sessionId === caller.sessionId,
      sentBytes: job.sentBytes,
      packedBytes: job.packedBytes,
      totalBytes: job.prepared?.size ?? null,
    };
    return { refusal: maker.refusal, current, last: this.last };
  }

  /** Throws `conflict` while another one is made, and where there are none. */
  async begin(caller: Caller, { passphrase }: { passphrase: string }): Promise<{ ticket: string; name: string }> {
    const { tenants, maker, effects } = this.parts;
    await tenants.requireOperator(caller);
    if (maker.refusal !== null) throw conflict(maker.refusal);
    if (this.job) throw conflict('A backup is being made already. Wait until it is done.');
    const startedAt = effects.now();
    const job: Job = {
      ticket: newSecret(),
      name: `agent-runtime-${formatUtc(startedAt).replace(/\.\d+/, '').replaceAll(':', '-')}.backup`,
      sessionId: caller.sessionId,
      startedAt,
      open: maker.open(passphrase),
      prepared: null,
      isFetched: false,
      sentBytes: 0,
      packedBytes: 0,
      isOver: false,
      stopWaiting: () => undefined,
    };
    this.job = job;
    job.open.prepared.then(
      (facts) => this.offer(job, facts),
      (error: unknown) => this.end(job, 'failed', error),
    );
    return { ticket: job.ticket, name: job.name };
  }

  /**
   * The pieces of the file, once it is prepared. Aborting ends the backup. Throws `not_found` for a
   * ticket that is unknown, used, expired, or of another session.
   */
  async take(
    caller: Caller,
    ticket: string,
    signal: AbortSignal,
  ): Promise<{ name: string; chunks: AsyncGenerator<Uint8Array> }> {
    await this.parts.tenants.requireOperator(caller);
    const { job } = this;
    if (!job || job.isOver || job.ticket !== ticket || job.isFetched || job.sessionId !== caller.sessionId) {
      throw notFound(
        'There is no such download: each works once, in the session that asked for it. Make a new backup.',
      );
    }
    job.isFetched = true;
    job.stopWaiting();
    const breakOff = () => void this.end(job, 'cancelled');
    signal.addEventListener('abort', breakOff, { once: true });
    if (signal.aborted) breakOff();
    const { events } = await job.open.prepared;
    await this.parts.audit.record(caller, caller.tenantId, 'backup.downloaded', null, { file: job.name, events });
    return { name: job.name, chunks: this.send(caller, job) };
  }

  /** Ends the backup that is being made, whoever has begun it. */
  async cancel(caller: Caller): Promise<void> {
    await this.parts.tenants.requireOperator(caller);
    if (this.job) await this.end(this.job, 'cancelled');
  }

  async close(): Promise<void> {
    if (this.job) await this.end(this.job, 'cancelled');
  }

  private offer(job: Job, facts: PreparedFacts): void {
    job.prepared = facts;
    const { timers = realTimers } = this.parts;
    if (!job.isFetched) job.stopWaiting = timers.after(TICKET_MS, () => void this.end(job, 'expired'));
  }

  private async *send(caller: Caller, job: Job): AsyncGenerator<Uint8Array> {
    let outcome: BackupOutcome = 'cancelled';
    let fault: unknown;
    try {
      for (let part = await job.open.next(); part !== null; part = await job.open.next()) {
        yield part.chunk;
        job.sentBytes += part.chunk.length;
        job.packedBytes = part.packed;
      }
      outcome = 'sent';
      const details = { file: job.name, bytes: job.sentBytes, events: job.prepared?.events };
      await this.parts.audit.record(caller, null, 'backup.created', null, details);
    } catch (error) {
      outcome = 'failed';
      fault = error;
      throw error;
    } finally {
      await this.end(job, outcome, fault);
    }
  }

  private async end(job: Job, outcome: BackupOutcome, fault?: unknown): Promise<void> {
    if (job.isOver) return;
    job.isOver = true;
    job.stopWaiting();
    if (outcome === 'failed') this.parts.onError(fault);
    // The next one begins when the copy is gone. Nobody waits for the end of most.
    await job.open.close().catch(this.parts.onError);
    this.job = null;
    this.last = {
      endedAt: formatUtc(this.parts.effects.now()),
      outcome,
      message: outcome === 'failed' ? shownFault(fault) : null,
      bytes: job.sentBytes,
      events: job.prepared?.events ?? null,
    };
  }
}

/** The log has what else is known of a fault. */
function shownFault(fault: unknown): string {
  return fault instanceof RuntimeError ? fault.message : 'The backup could not be made. The log says why.';
}
