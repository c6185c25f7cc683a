import { RuntimeError } from '../shared/errors.ts';

/** An export holds pages in memory until its client has read them. */
const MAX_EXPORTS = { perTenant: 3, total: 12 };

export class ExportLimiter {
  private readonly running: string[] = [];

  /** Starts with the first chunk read. Throws `unavailable` when too many exports run. */
  async *run(tenantId: string, chunks: AsyncGenerator<string>): AsyncGenerator<string> {
    const ofTenant = this.running.filter((one) => one === tenantId).length;
    if (ofTenant >= MAX_EXPORTS.perTenant || this.running.length >= MAX_EXPORTS.total) {
      throw new RuntimeError('unavailable', 'Too many exports are under way. Try again when one has ended.', {
        retryAfter: 10,
      });
    }
    this.running.push(tenantId);
    try {
      yield* chunks;
    } finally {
      this.running.splice(this.running.indexOf(tenantId), 1);
    }
  }
}
