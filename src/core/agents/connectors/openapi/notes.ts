/** What an import left out or changed. `at` is a JSON Pointer. */
export interface ImportNote {
  at: string;
  message: string;
  /** Other places with the same message. */
  more: number;
}

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
