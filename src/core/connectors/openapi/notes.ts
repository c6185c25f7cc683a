/** What an import left out, or took otherwise than the document says. */
export interface ImportNote {
  /** Where in the document: `#/paths/~1pets/post`. */
  at: string;
  message: string;
  /** In how many further places the same was found. */
  more: number;
}

/** Collects notes. What holds in a hundred places is told once, with the first of them. */
export class Notes {
  private readonly places = new Map<string, Set<string>>();

  add(at: string, message: string): void {
    const places = this.places.get(message);
    if (places) places.add(at);
    else this.places.set(message, new Set([at]));
  }

  all(): ImportNote[] {
    return [...this.places].map(([message, [at, ...others]]) => ({ at: at!, message, more: others.length }));
  }
}

/** A note on one line, for people. */
export function noteLine({ at, message, more }: ImportNote): string {
  return more === 0 ? `${at}: ${message}` : `${at} and ${more} more: ${message}`;
}
