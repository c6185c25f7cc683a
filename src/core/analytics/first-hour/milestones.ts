import type { Effects } from '../../base/shared/effects.ts';
import type { FirstHourStep, FirstHourStore } from './store.ts';

interface MilestoneParts {
  store: Pick<FirstHourStore, 'note'>;
  effects: Pick<Effects, 'now'>;
  /** Receives faults of writing in the background. */
  onError(error: unknown): void;
}

const MAX_KNOWN = 10_000;

/**
 * Notes the first call of a tool and the first question of each tenant, whatever channel they come
 * through. In the background, and once for each tenant and process.
 */
export class Milestones {
  private readonly parts: MilestoneParts;
  private readonly known = new Set<string>();
  private readonly writing = new Set<Promise<unknown>>();

  constructor(parts: MilestoneParts) {
    this.parts = parts;
  }

  reached(tenantId: string, name: FirstHourStep, details: Record<string, unknown> | null = null): void {
    const key = `${name} ${tenantId}`;
    if (this.known.has(key)) return;
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    this.known.add(key);
    const { store, effects, onError } = this.parts;
    const written = store
      .note(tenantId, { name, at: effects.now(), details })
      .catch((error: unknown) => {
        this.known.delete(key);
        onError(error);
      })
      .finally(() => this.writing.delete(written));
    this.writing.add(written);
  }

  async settled(): Promise<void> {
    await Promise.all(this.writing);
  }
}
