import { setTimeout as sleep } from 'node:timers/promises';
import type { Effects } from '../../../base/shared/effects.ts';
import { RuntimeError } from '../../../base/shared/errors.ts';
import type { ConnectorDefinition } from '../definition/schema.ts';
import type { CircuitBreakers } from './circuit-breakers.ts';
import { type CallFault, callFaultOfStatus, faultOfTransport, isServerFailure, retryAfterOf } from './faults.ts';
import { TransportFault, type UpstreamAnswer } from './transport.ts';

export interface DeadlineOptions {
  timeoutMs: number;
  /** False when the caller set a shorter timeout. */
  isOfConnector: boolean;
  /** Aborted when the caller disconnects. */
  caller: AbortSignal;
}

export class Deadline {
  readonly isOfConnector: boolean;
  private readonly timeoutMs: number;
  private readonly endsAt: number;
  private readonly caller: AbortSignal;
  private readonly timer: NodeJS.Timeout;
  private readonly controller = new AbortController();
  private readonly onCallerAbort = () => this.controller.abort(this.caller.reason);

  constructor({ timeoutMs, isOfConnector, caller }: DeadlineOptions) {
    this.timer = setTimeout(() => this.controller.abort(), timeoutMs);
    this.timeoutMs = timeoutMs;
    this.isOfConnector = isOfConnector;
    this.caller = caller;
    this.endsAt = performance.now() + timeoutMs;
    // `AbortSignal.any` takes 60 microseconds, a listener 5.
    if (caller.aborted) this.onCallerAbort();
    else caller.addEventListener('abort', this.onCallerAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get hasPassed(): boolean {
    return this.signal.aborted;
  }

  get remainingMs(): number {
    return this.endsAt - performance.now();
  }

  /** Resolves early at the deadline. */
  async sleep(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.signal }).catch(() => undefined);
  }

  fault(connector: string): CallFault {
    if (this.caller.aborted)
      return { code: 'unavailable', message: 'The call was given up before it ended.', retryAfter: 1 };
    return { code: 'timeout', message: `"${connector}" did not answer within ${this.timeoutMs} ms.` };
  }

  end(): void {
    clearTimeout(this.timer);
    this.caller.removeEventListener('abort', this.onCallerAbort);
  }
}

const FIRST_MS = 200;
const LONGEST_MS = 5_000;
/** The call fails immediately when the API asks for a longer wait. */
const LONGEST_RETRY_AFTER_MS = 10_000;

/** From a gateway: the server may still be working. */
const REQUEST_TIMEOUT = 408;

export interface PlannedCall {
  connector: string;
  /** The key of the circuit breaker: tenant, connector, environment and address. */
  circuit: string;
  retry: ConnectorDefinition['retry'];
  isIdempotent: boolean;
  deadline: Deadline;
  send(signal: AbortSignal): Promise<UpstreamAnswer>;
  refresh(): boolean;
}

export interface CallAttemptParts {
  breakers: CircuitBreakers;
  effects: Pick<Effects, 'now'>;
  random: () => number;
}

export interface Attempted {
  answer: UpstreamAnswer | null;
  fault: CallFault | null;
  /** The last status of the API, also of an unreadable answer. */
  status: number | null;
  attempts: number;
  /** Whether the API may have executed the call. */
  mayBeDone: boolean;
}

/** Retries while that is useful and safe. */
export async function attempt(call: PlannedCall, parts: CallAttemptParts): Promise<Attempted> {
  const pauseMs = parts.breakers.retryIn(call.circuit);
  if (pauseMs > 0) return notAttempted(call, pauseMs);
  let mayBeDone = false;
  let isRefreshed = false;
  for (let attempts = 1; ; attempts += 1) {
    const once = await attemptOnce(call, parts);
    const { answer, fault, error } = once;
    mayBeDone ||= mayHaveDone(once);
    if (answer?.status === 401 && !isRefreshed && !call.deadline.hasPassed && call.refresh()) {
      isRefreshed = true;
      continue;
    }
    const isOver = fault === null || call.deadline.hasPassed || attempts >= call.retry.attempts;
    if (!isOver && (await waitForRetry(attempts + 1, once, call, parts))) continue;
    const wasSent = !(error instanceof RuntimeError);
    const status = answer?.status ?? (error instanceof TransportFault ? error.status : null);
    return { answer, fault, status, attempts: wasSent ? attempts : attempts - 1, mayBeDone };
  }
}

function notAttempted({ connector }: PlannedCall, pauseMs: number): Attempted {
  const seconds = Math.ceil(pauseMs / 1_000);
  const message = `"${connector}" has failed again and again, and is not asked for ${seconds} s.`;
  const fault: CallFault = { code: 'upstream', message, retryAfter: seconds };
  return { answer: null, fault, status: null, attempts: 0, mayBeDone: false };
}

interface Once {
  answer: UpstreamAnswer | null;
  fault: CallFault | null;
  error: unknown;
}

async function attemptOnce(call: PlannedCall, { breakers, effects }: CallAttemptParts): Promise<Once> {
  const { connector, circuit, deadline } = call;
  try {
    const answer = await call.send(deadline.signal);
    if (isServerFailure(answer.status)) breakers.failed(circuit);
    else breakers.succeeded(circuit);
    return { answer, fault: callFaultOfStatus(connector, answer, effects.now()), error: undefined };
  } catch (error) {
    if (isFailureOfApi(error, deadline)) breakers.failed(circuit);
    else breakers.cancelProbe(circuit);
    return { answer: null, fault: faultOfError(error, call), error };
  }
}

function isFailureOfApi(error: unknown, deadline: Deadline): boolean {
  // The API was not called: no token in time, or no memory for an answer.
  if (error instanceof RuntimeError) return false;
  if (deadline.hasPassed) return deadline.isOfConnector;
  return error instanceof TransportFault && (error.kind === 'unreachable' || error.kind === 'broken');
}

function faultOfError(error: unknown, { connector, deadline }: PlannedCall): CallFault {
  if (error instanceof RuntimeError) {
    const { code, message, messages, retryAfter } = error;
    return { code, message, messages, retryAfter };
  }
  if (deadline.hasPassed) return deadline.fault(connector);
  if (error instanceof TransportFault) return faultOfTransport(connector, error);
  throw error;
}

async function waitForRetry(
  attempt: number,
  once: Once,
  call: PlannedCall,
  { breakers, effects, random }: CallAttemptParts,
): Promise<boolean> {
  const { circuit, deadline } = call;
  if (!isWorthAnother(call, once)) return false;
  const retryAfterMs = once.answer && retryAfterOf(once.answer.headers, effects.now());
  const delayMs = delayBefore(attempt, { retryAfterMs, remainingMs: deadline.remainingMs, random });
  if (delayMs === null || breakers.isOpen(circuit)) return false;
  await deadline.sleep(delayMs);
  // Last, since its 0 may make this attempt the probe, which must then be sent.
  return !deadline.hasPassed && breakers.retryIn(circuit) === 0;
}

/** A 4xx means not done. Other failures and redirects may follow an executed call. */
function mayHaveDone({ answer, error }: Once): boolean {
  if (answer) return answer.status < 400 || answer.status >= 500 || answer.status === REQUEST_TIMEOUT;
  if (error instanceof TransportFault) return error.maybeSent;
  return !(error instanceof RuntimeError);
}

function isWorthAnother({ isIdempotent, retry }: PlannedCall, { answer, error }: Once): boolean {
  if (answer) return isIdempotent && retry.statuses.includes(answer.status);
  if (!(error instanceof TransportFault)) return false;
  if (error.kind === 'unreachable') return !error.maybeSent || isIdempotent;
  return error.kind === 'broken' && isIdempotent;
}

/** In ms, or null. Exponential backoff, full jitter (M. Brooker, AWS Architecture Blog, 2015). */
export function delayBefore(
  attempt: number,
  { retryAfterMs, remainingMs, random }: { retryAfterMs: number | null; remainingMs: number; random: () => number },
): number | null {
  const backoffMs = random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 2));
  if (retryAfterMs !== null && retryAfterMs > LONGEST_RETRY_AFTER_MS) return null;
  const delayMs = Math.max(backoffMs, retryAfterMs ?? 0);
  return delayMs < remainingMs ? delayMs : null;
}
