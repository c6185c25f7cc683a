export const SPEED = 240;

const START = Date.UTC(2026, 10, 10, 9);

/** The time of servers whose clock is fast. It began when the test did. */
export function fastTime(now: number, began = Number(process.env.TEST_BEGAN)): number {
  return START + (now - began) * SPEED;
}

export const COUNTED_AT = '2026-10-20T12:00:00Z';

export const KILL_POINTS = [
  'a change is found',
  'a change is stored',
  'an event is stored',
  'a change is recorded',
  'a message is sent',
  'a delivery is settled',
] as const;
export type KillPoint = (typeof KILL_POINTS)[number];
