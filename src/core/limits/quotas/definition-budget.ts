import { type RuntimeError, unprocessable } from '../../base/shared/errors.ts';

/**
 * The stored definitions of a tenant: segments, metrics and rubrics with all their versions, terms,
 * alerts and cards.
 */
export interface DefinitionStore {
  /** UTF-8 of their JSON together, without reading it. */
  bytes(tenantId: string): Promise<number>;
}

/** They are listed, searched and read again after changes, on the thread that answers everybody. */
const MAX_DEFINITIONS = 8 * 1024 * 1024;

export class DefinitionBudget {
  private readonly store: DefinitionStore;
  /** Bytes of writes under way, by tenant. */
  private readonly pending = new Map<string, number>();

  constructor(store: DefinitionStore) {
    this.store = store;
  }

  /** Runs `write` if the definition fits in place of the one before. Throws `unprocessable`. */
  async within<Result>(
    tenantId: string,
    { before, after }: { before: unknown; after: unknown },
    write: () => Promise<Result>,
  ): Promise<Result> {
    const added = bytesOf(after) - bytesOf(before);
    if (added <= 0) return write();
    const others = this.pending.get(tenantId) ?? 0;
    this.pending.set(tenantId, others + added);
    try {
      const used = await this.store.bytes(tenantId);
      if (used + others + added > MAX_DEFINITIONS) throw tooLarge(used + others, added);
      return await write();
    } finally {
      const left = this.pending.get(tenantId)! - added;
      if (left > 0) this.pending.set(tenantId, left);
      else this.pending.delete(tenantId);
    }
  }
}

function bytesOf(definition: unknown): number {
  return definition === null ? 0 : Buffer.byteLength(JSON.stringify(definition));
}

function tooLarge(used: number, added: number): RuntimeError {
  const [has, needs] = [used, added].map((bytes) => Math.ceil(bytes / 1024).toLocaleString('en'));
  return unprocessable(
    `The segments, metrics and rubrics with their versions, terms, alerts and cards of a tenant have at most 8 MB together; there are ${has} KB, and this needs ${needs} KB more. Shorten lists in filters, or remove segments, terms, alerts or cards.`,
  );
}
