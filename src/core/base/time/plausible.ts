const DAY_MS = 86_400_000;
/** Earlier times come from clocks that are not set, and would stretch every series. */
const EARLIEST = Date.parse('1900-01-01T00:00:00Z');

/** The fault of a sender's time, in words that follow the name of its member; null for none. */
export function faultOfTime(epochMs: number, now: number): string | null {
  if (epochMs < EARLIEST) return "lies before 1900; is the sender's clock set?";
  if (epochMs <= now + DAY_MS) return null;
  return `lies more than 24 hours ahead of the server's clock, which reads ${new Date(now).toISOString()}`;
}
