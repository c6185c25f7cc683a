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
  private readonly byMessage = new Map<string, ImportNote>();

  add(at: string, message: string): void {
    const known = this.byMessage.get(message);
    if (known) known.more++;
    else this.byMessage.set(message, { at, message, more: 0 });
  }

  all(): ImportNote[] {
    return [...this.byMessage.values()];
  }
}

/** A note on one line, for people. */
export function noteLine({ at, message, more }: ImportNote): string {
  return more === 0 ? `${at}: ${message}` : `${at} and ${more} more: ${message}`;
}
