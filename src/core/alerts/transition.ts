export const ALERT_STATES = ['ok', 'alerting', 'no_data', 'failing'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

/** What is remembered of an alert between its checks. Times are epoch milliseconds. */
export interface Memory {
  state: AlertState;
  /** Consecutive checks that would end the state, and consecutive checks that failed. */
  recovering: number;
  failures: number;
  /** The state that people were told of last. */
  told: AlertState;
  /** When they were told of a state other than ok last; null: never. */
  toldAt: number | null;
}

export const FRESH: Memory = { state: 'ok', recovering: 0, failures: 0, told: 'ok', toldAt: null };

/** What a check found: a verdict's state, or that the check itself failed. */
export type Found = Exclude<AlertState, 'failing'> | 'failed';

export interface Transition {
  memory: Memory;
  /** The state before, if it changed. */
  from: AlertState | null;
  /** Whether people are told now. */
  notifies: boolean;
}

/** Hysteresis: an alert is over after so many checks in a row that say so. */
const CHECKS_TO_RECOVER = 2;
/** One failed check may be a restart; a broken one does not mend itself. */
const FAILURES_TO_TELL = 3;

/**
 * The next state. One that is worse applies at once, a return to ok after two checks in a row. People are told of each
 * state that they do not know of, but of one other than ok not within the cool-down after the last: then they are told at its end, if
 * the check then finds the state still.
 */
export function transition(memory: Memory, found: Found, now: number, cooldownMs: number): Transition {
  const failures = found === 'failed' ? memory.failures + 1 : 0;
  const state = nextState({ ...memory, failures }, found);
  const recovering = found === 'ok' && state !== 'ok' ? memory.recovering + 1 : 0;
  const isFound = found === state || (found === 'failed' && state === 'failing');
  const notifies = state !== memory.told && isFound && (state === 'ok' || isOver(memory, now, cooldownMs));
  const toldAt = notifies && state !== 'ok' ? now : memory.toldAt;
  return {
    memory: { state, recovering, failures, told: notifies ? state : memory.told, toldAt },
    from: state === memory.state ? null : memory.state,
    notifies,
  };
}

function nextState({ state, recovering, failures }: Memory, found: Found): AlertState {
  if (found === 'failed') return failures >= FAILURES_TO_TELL ? 'failing' : state;
  // A check that works again needs no second one.
  const isFlapping = found === 'ok' && state !== 'ok' && state !== 'failing' && recovering + 1 < CHECKS_TO_RECOVER;
  return isFlapping ? state : found;
}

/** The cool-down. A clock that was set back must not prolong it. */
function isOver({ toldAt }: Memory, now: number, cooldownMs: number): boolean {
  return toldAt === null || now < toldAt || now - toldAt >= cooldownMs;
}
