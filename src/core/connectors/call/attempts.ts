import type { Effects } from '../../shared/effects.ts';
import { RuntimeError } from '../../shared/errors.ts';
import type { ConnectorDefinition } from '../definition/members.ts';
import type { CircuitBreakers } from './circuit-breakers.ts';
import type { Deadline } from './deadline.ts';
import type { CallFault } from './failure.ts';
import { delayBefore, retryAfterOf } from './retries.ts';
import { TransportFault, type UpstreamAnswer } from './transport.ts';
import { faultOfStatus, faultOfTransport, isBreakdown } from './upstream-faults.ts';

/** Gateways say so of a server, too, that was still at work. */
const REQUEST_TIMEOUT = 408;

/** What a call is, for whoever makes its attempts. */
export interface PlannedCall {
  /** The connector's slug, for messages. */
  connector: string;
  /** Of its circuit: connector, environment and address of one tenant. */
  circuit: string;
  retry: ConnectorDefinition['retry'];
  /** Whether calling twice does no more than calling once. */
  isIdempotent: boolean;
  deadline: Deadline;
  /** One attempt. */
  send(signal: AbortSignal): Promise<UpstreamAnswer>;
  /** The API does not accept who calls; whether another attempt would say it anew. */
  refresh(): boolean;
}

export interface AttemptParts {
  breakers: CircuitBreakers;
  effects: Pick<Effects, 'now'>;
  /** From 0 up to 1. */
  random: () => number;
}

/** How a call went, all its attempts together. */
export interface Attempted {
  answer: UpstreamAnswer | null;
  /** Null: the API answered that it went well. */
  fault: CallFault | null;
  /** What the API answered last, also where its answer cannot be handed on; null: nothing. */
  status: number | null;
  attempts: number;
  /** Whether the API has done what was asked, or may have. */
  mayBeDone: boolean;
}

/** Asks an API until it answers that it went well, until that cannot be hoped for, or until asking again could do something twice. */
export async function attempt(call: PlannedCall, parts: AttemptParts): Promise<Attempted> {
  const { connector, circuit, deadline } = call;
  const { breakers } = parts;
  const pauseMs = breakers.retryIn(circuit);
  if (pauseMs > 0) {
    const seconds = Math.ceil(pauseMs / 1_000);
    const message = `"${connector}" has failed again and again, and is not asked for ${seconds} s.`;
    const fault: CallFault = { code: 'upstream', message, retryAfter: seconds };
    return { answer: null, fault, status: null, attempts: 0, mayBeDone: false };
  }
  let mayBeDone = false;
  let isRefreshed = false;
  for (let attempts = 1; ; attempts += 1) {
    const { answer, fault, error } = await attemptOnce(call, parts);
    mayBeDone ||= mayHaveDone(answer, error);
    const wasAsked = !(error instanceof RuntimeError);
    const end = {
      answer,
      fault,
      status: statusOf(answer, error),
      attempts: wasAsked ? attempts : attempts - 1,
      mayBeDone,
    };
    if (fault === null || deadline.hasPassed) return end;
    if (answer?.status === 401 && !isRefreshed && call.refresh()) {
      isRefreshed = true;
      continue;
    }
    if (attempts >= call.retry.attempts || !isWorthAnother(call, answer, error)) return end;
    const retryAfterMs = answer && retryAfterOf(answer.headers, parts.effects.now());
    const delayMs = delayBefore(attempts + 1, {
      retryAfterMs,
      remainingMs: deadline.remainingMs,
      random: parts.random,
    });
    if (delayMs === null || breakers.isOpen(circuit)) return end;
    await deadline.sleep(delayMs);
    // Asked last: who hears 0 may be the one who has to try it, and must not leave before that.
    if (deadline.hasPassed || breakers.retryIn(circuit) > 0) return end;
  }
}

interface Once {
  answer: UpstreamAnswer | null;
  fault: CallFault | null;
  /** What was thrown; undefined: nothing. */
  error: unknown;
}

async function attemptOnce(call: PlannedCall, { breakers, effects }: AttemptParts): Promise<Once> {
  const { connector, circuit, deadline } = call;
  try {
    const answer = await call.send(deadline.signal);
    if (isBreakdown(answer.status)) breakers.failed(circuit);
    else breakers.succeeded(circuit);
    return { answer, fault: faultOfStatus(connector, answer, effects.now()), error: undefined };
  } catch (error) {
    if (error instanceof RuntimeError) {
      // There was no token in time, or no room: nothing was asked of the API.
      breakers.cancelProbe(circuit);
      const { code, message, messages, retryAfter } = error;
      return { answer: null, fault: { code, message, messages, retryAfter }, error };
    }
    if (deadline.hasPassed) {
      if (deadline.isOfConnector) breakers.failed(circuit);
      else breakers.cancelProbe(circuit);
      return { answer: null, fault: deadline.fault(connector), error };
    }
    if (error instanceof TransportFault) {
      if (error.kind === 'unreachable' || error.kind === 'broken') breakers.failed(circuit);
      else breakers.cancelProbe(circuit);
      return { answer: null, fault: faultOfTransport(connector, error), error };
    }
    breakers.cancelProbe(circuit);
    throw error;
  }
}

function statusOf(answer: UpstreamAnswer | null, error: unknown): number | null {
  return answer?.status ?? (error instanceof TransportFault ? error.status : null);
}

/** What answers 4xx has refused to do it; others may have done it before they failed, or before they sent elsewhere for its result. */
function mayHaveDone(answer: UpstreamAnswer | null, error: unknown): boolean {
  if (answer) return answer.status < 400 || answer.status >= 500 || answer.status === REQUEST_TIMEOUT;
  if (error instanceof TransportFault) return error.maybeSent;
  return !(error instanceof RuntimeError);
}

function isWorthAnother({ isIdempotent, retry }: PlannedCall, answer: UpstreamAnswer | null, error: unknown): boolean {
  if (answer) return isIdempotent && retry.statuses.includes(answer.status);
  if (!(error instanceof TransportFault)) return false;
  if (error.kind === 'unreachable') return !error.maybeSent || isIdempotent;
  return error.kind === 'broken' && isIdempotent;
}
