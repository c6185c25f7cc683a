/** Something that an import left out or changed. */
export interface ImportNote {
  /** For example `#/paths/~1pets/post`. */
  at: string;
  message: string;
  /** The number of other places with the same message. */
  more: number;
}

/** Collects notes. A message from a hundred places becomes one note. */
export class Notes {
  private readonly pointers = new Map<string, Set<string>>();

  add(at: string, message: string): void {
    const known = this.pointers.get(message);
    if (known) known.add(at);
    else this.pointers.set(message, new Set([at]));
  }

  all(): ImportNote[] {
    return [...this.pointers].map(([message, [at, ...others]]) => ({ at: at!, message, more: others.length }));
  }
}

export function noteLine({ at, message, more }: ImportNote): string {
  return more === 0 ? `${at}: ${message}` : `${at} and ${more} more: ${message}`;
}
