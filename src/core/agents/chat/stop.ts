/** Cuts a text before the first stop sequence. Holds back what may begin one. */
export class StopCutter {
  private readonly stops: readonly string[];
  private readonly longest: number;
  private pending = '';
  isCut = false;

  constructor(stops: readonly string[]) {
    this.stops = stops;
    this.longest = Math.max(0, ...stops.map((stop) => stop.length));
  }

  /** The text that is now known to belong to the answer. */
  push(text: string): string {
    if (this.isCut) return '';
    const known = this.pending + text;
    const cut = this.firstStop(known);
    if (cut !== -1) {
      this.isCut = true;
      this.pending = '';
      return known.slice(0, cut);
    }
    const held = this.possibleBeginning(known);
    this.pending = known.slice(known.length - held);
    return known.slice(0, known.length - held);
  }

  rest(): string {
    const { pending } = this;
    this.pending = '';
    return pending;
  }

  /** The start of the stop sequence that ends first; of several, the longest. -1: none. */
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

  /** The length of the longest suffix that may begin a stop sequence. */
  private possibleBeginning(text: string): number {
    for (let length = Math.min(this.longest - 1, text.length); length > 0; length--) {
      const end = text.slice(text.length - length);
      if (this.stops.some((stop) => stop.length > length && stop.startsWith(end))) return length;
    }
    return 0;
  }
}
