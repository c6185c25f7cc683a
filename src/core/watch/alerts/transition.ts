export const ALERT_STATES = ['ok', 'alerting', 'no_data', 'failing'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

/** The memory of an alert between its checks. Times are epoch milliseconds. */
export interface Memory {
  state: AlertState;
  /** Consecutive checks that would end the state, and consecutive checks that failed. */
  recovering: number;
  failures: number;
  /** The state of the last message. */
  notified: AlertState;
  /** When the last message about a state other than ok was sent; null: never. */
  notifiedAt: number | null;
}

export const INITIAL_MEMORY: Memory = { state: 'ok', recovering: 0, failures: 0, notified: 'ok', notifiedAt: null };

/** The result of a check: a verdict's state, or that the check itself failed. */
export type CheckedState = Exclude<AlertState, 'failing'> | 'failed';

export interface Transition {
  memory: Memory;
  /** The state before, if it changed. */
  from: AlertState | null;
  /** Whether a message is sent now. */
  notifies: boolean;
}

/** Hysteresis: a problem is over after this many checks in a row that do not find it. */
const CHECKS_TO_RECOVER = 2;
/** One failure may be a restart; three in a row mean that the check is broken. */
const FAILURES_TO_FAIL = 3;

/**
 * The next state. One that is worse applies immediately, a return to ok after two checks in a row.
 * A message is sent for each state that differs from that of the last message. One about a state
 * other than ok waits for the end of the cool-down, and is sent then if the check still finds the
 * state.
 */
export function transition(memory: Memory, found: CheckedState, now: number, cooldownMs: number): Transition {
  const failures = found === 'failed' ? memory.failures + 1 : 0;
  const state = nextState({ ...memory, failures }, found);
  const recovering = found === 'ok' && state !== 'ok' ? memory.recovering + 1 : 0;
  const isFound = found === state || (found === 'failed' && state === 'failing');
  const notifies = state !== memory.notified && isFound && (state === 'ok' || isCooldownOver(memory, now, cooldownMs));
  const notifiedAt = notifies && state !== 'ok' ? now : memory.notifiedAt;
  return {
    memory: { state, recovering, failures, notified: notifies ? state : memory.notified, notifiedAt },
    from: state === memory.state ? null : memory.state,
    notifies,
  };
}

function nextState({ state, recovering, failures }: Memory, found: CheckedState): AlertState {
  if (found === 'failed') return failures >= FAILURES_TO_FAIL ? 'failing' : state;
  // A check that works again needs no second one.
  const isFlapping = found === 'ok' && state !== 'ok' && state !== 'failing' && recovering + 1 < CHECKS_TO_RECOVER;
  return isFlapping ? state : found;
}

/** A clock that was set back must not prolong the cool-down. */
function isCooldownOver({ notifiedAt }: Memory, now: number, cooldownMs: number): boolean {
  return notifiedAt === null || now < notifiedAt || now - notifiedAt >= cooldownMs;
}
