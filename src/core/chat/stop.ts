/**
 * Ends a text before the first of some stop sequences, for providers that cannot. What may be the beginning of one is
 * held back until it is known, so that the result does not depend on how the text was cut into parts.
 */
export class StopCutter {
  private readonly stops: readonly string[];
  private readonly longest: number;
  private held = '';
  /** Whether a stop sequence was found: nothing more comes out. */
  isCut = false;

  constructor(stops: readonly string[]) {
    this.stops = stops;
    this.longest = Math.max(0, ...stops.map((stop) => stop.length));
  }

  /** Of the text so far, what is now known to belong to the answer. */
  push(text: string): string {
    if (this.isCut) return '';
    const known = this.held + text;
    const cut = this.firstStop(known);
    if (cut !== -1) {
      this.isCut = true;
      this.held = '';
      return known.slice(0, cut);
    }
    const held = this.possibleBeginning(known);
    this.held = known.slice(known.length - held);
    return known.slice(0, known.length - held);
  }

  /** What was held back, once nothing more comes. */
  rest(): string {
    const { held } = this;
    this.held = '';
    return held;
  }

  /** Where the stop sequence that is complete first begins; of several that end together, the longest. -1: there is none. */
  private firstStop(text: string): number {
    let end = Number.POSITIVE_INFINITY;
    let start = -1;
    for (const stop of this.stops) {
      const at = text.indexOf(stop);
      if (at === -1) continue;
      const after = at + stop.length;
      if (after < end || (after === end && at < start)) {
        end = after;
        start = at;
      }
    }
    return start;
  }

  /** Characters at the end that a stop sequence may begin with. */
  private possibleBeginning(text: string): number {
    for (let length = Math.min(this.longest - 1, text.length); length > 0; length--) {
      const end = text.slice(text.length - length);
      if (this.stops.some((stop) => stop.length > length && stop.startsWith(end))) return length;
    }
    return 0;
  }
}
